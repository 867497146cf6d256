"""How much the scenarios of a ruleset notice: small changes of its rules, and which of them no scenario fails on.

- `model`: what a change is, and what became of it
- `walk`: all changes of a program; `values`: those of single expressions; `lines`: which lines can be swapped
- `plan`: the changes of several programs of one ruleset, joined by where they stand in the text; samples
- `trials`: what a scenario reaches, and a scenario against a change
- `score`: how many were noticed
"""
