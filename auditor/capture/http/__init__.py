"""From notes of HTTP exchanges to records, wherever the notes come from."""
