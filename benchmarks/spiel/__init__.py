"""The classics beside the same games in OpenSpiel (the extra `openspiel`)."""
