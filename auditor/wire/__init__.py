"""The wire: bytes to frames to envelopes. Pure functions and state machines; no I/O, no clock."""
