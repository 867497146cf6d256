"""Which diagnostic code a rule fault has: what `explain` says more about.

Generated code and the reference interpreter say faults in the same few forms of words; the first
form that fits decides.
"""

from __future__ import annotations

import re

_FORMS: tuple[tuple[str, str], ...] = (
    (r"^more than |within the budget|number beyond", "R0109"),
    (r"^a promise does not hold", "R0107"),
    (r"^division by 0", "R0108"),
    (r"contradict each other", "R0104"),
    (r" is not legal now$", "R0105"),
    (r"nothing to choose from|choice without options|there is no policy", "R0106"),
    (r"cannot be there$", "R0110"),
    (r"^(first|last|only|maybe|min|max) of |draw from nothing|position of what", "R0103"),
    (r"^none |is not set$|no such property|no value for|none given|no row of the table", "R0102"),
    (r"cannot be |cannot change by |an amount of |costs less than 0", "R0101"),
)
OTHER = "R0102"


def fault_code(message: str) -> str:
    """Give the code of a fault by its message."""
    return next((code for form, code in _FORMS if re.search(form, message)), OTHER)
