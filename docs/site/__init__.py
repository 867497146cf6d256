"""Makes the parts of the documentation that come from the program, and its site."""
