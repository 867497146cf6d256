"""Whole games looked at from above: their trees, their exact chances and values, the best ways to play them."""
