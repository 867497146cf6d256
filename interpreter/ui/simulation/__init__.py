"""The commands `simulate` and `compare`: many games, what they say, and how sure that is."""
