"""Sets of variants: which may stand together, in which order they are merged, and where they conflict."""
