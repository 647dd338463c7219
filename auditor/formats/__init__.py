"""Reading what other programs wrote: traces, logs, archives."""
