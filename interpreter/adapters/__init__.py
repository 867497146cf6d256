"""Rulesets as environments of other libraries: each module needs the extra of its name."""
