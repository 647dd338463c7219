"""Simulated servers and clients, with the truth of every prompt kept."""
