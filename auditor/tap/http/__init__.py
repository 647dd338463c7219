"""The tap before an HTTP server: a reverse proxy that passes bytes on untouched, and what turns them into records."""
