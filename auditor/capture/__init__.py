"""Capture: the one way from bytes on a channel to records in a journal. Recorder, proxy and import all take it."""
