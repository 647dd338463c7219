"""The commands. stdout is data; what is said to a person goes through `diagnostics` to stderr."""
