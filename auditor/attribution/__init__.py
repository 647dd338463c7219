"""Whose question was it? Inference over the calls and prompts of one session; pure, without I/O or a clock."""
