"""The command `serve`: games played in browsers, each person at a private link."""
