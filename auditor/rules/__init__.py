"""Rules: what a recorded session must not show, each with its reason and its remedy."""
