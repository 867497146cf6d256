"""Looks for games that break a ruleset: plays them, checks what must hold in each, makes what it finds small."""
