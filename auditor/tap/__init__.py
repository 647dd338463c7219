"""The taps: on the pipes of a process, in front of an HTTP server, or inside a process.

A tap passes bytes on and notes them in the spool first. A recorder process turns what is in the spool into the journal.
"""
