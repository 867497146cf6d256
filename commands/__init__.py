"""What can be typed: each module declares some verbs and loads their work when they run."""
