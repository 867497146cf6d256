"""The classics beside the same games in OpenSpiel."""
