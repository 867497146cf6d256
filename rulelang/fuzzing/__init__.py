"""Random rulesets for testing: a seed in, the texts of a whole game out; and making a failing one smaller.

Nothing of the program itself needs this package; the command `fuzz-engine` and the tests do.
"""

from rulelang.fuzzing.generator import generate
from rulelang.fuzzing.shrink import shrink

__all__ = ["generate", "shrink"]
