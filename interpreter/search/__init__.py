"""Search: whoever looks ahead for one seat, from what that seat sees."""
