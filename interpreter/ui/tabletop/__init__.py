"""What one seat sees of a table, as data that any interface can show: a terminal, a page."""
