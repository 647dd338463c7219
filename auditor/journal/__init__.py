"""The journal: one append-only NDJSON file a capture, chained by hashes. It is the truth; the database is derived."""
