"""A table on the whole screen of a terminal, made with Textual; nothing else of the program imports it."""
