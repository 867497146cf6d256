"""From a Program to generated code.

- `analysis`: facts about a program
- `optimise`: rewrites it; `folding`, `hoisting`: two of the ways; `soundness`: what can never be a fault
- `emit/`: its translation into Python functions
- `built`: what comes out, plain data that can be kept on disk; `compiled`: the same, ready to run
- `compiler`: from memory, from a store, or made now
"""
