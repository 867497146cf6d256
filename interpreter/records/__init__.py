"""What is written down about a game, and read again.

- `heading`: of which game a file is, and how such files are read; `codes`: the diagnostics of files that cannot be used
- `journal`: a running game, answer by answer
- `saves`: a position; `replay`: a whole game, enough to play it again
"""
