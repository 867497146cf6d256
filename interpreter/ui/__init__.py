"""The edge: bodies of the commands, the story of a game, people at a terminal."""
