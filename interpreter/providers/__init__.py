"""Who answers decisions: one file for each kind of provider."""
