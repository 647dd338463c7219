"""The store: DuckDB tables, their documentation, and the way of a journal into them."""
