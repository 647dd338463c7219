"""Redaction: secrets are taken out of what is recorded before it reaches a disk."""
