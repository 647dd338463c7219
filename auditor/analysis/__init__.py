"""From messages to sessions, exchanges, calls and prompts: models in SQL, and what SQL cannot say."""
