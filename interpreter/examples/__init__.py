"""The scenarios of a ruleset: what is set up, what is played by script, what must hold then.

- `scenarios`: plays them; `scripts`: the dice, draws and answers that they give
- `stage`: the compiled engine, one doing at a time
- `recording`: positions and games written as scenarios; `windows`: the pieces of a game that can be written so
- `reached`: which parts of the rules they put to the test; `coverage`: which rules of the rulebook
"""
