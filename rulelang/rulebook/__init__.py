"""A ruleset as a rulebook for people: the rules, put into words, in chapters with references and an index.

`book` makes a document (`model`) of the declarations of a merged ruleset, `html` and `markdown` write it. What it says
is taken from the syntax trees alone: no rule is run, and a text is never shown in another meaning than its own, because
each entry keeps its lines as written beside the sentences made of them. Rulesets are written by strangers: names and
texts are data for the writers, which escape all of it.
"""
