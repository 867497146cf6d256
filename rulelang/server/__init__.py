"""The language server: what editors ask about rulesets, over the Language Server Protocol.

    project     one ruleset as the editor has it, its texts parsed once for each state of a file
    names       what a name stands for, and where it is declared
    naming, resolving
                every name in a declaration, with what it stands for
    sheets      the same for cells of data files
    reparsing   declarations that an edit has not touched
    views       a ruleset merged with some variants, with the types of its expressions
    places      spans here, ranges there
    service     what pygls calls; nothing else knows of it

Everything else is one file for one thing that can be asked.
"""
