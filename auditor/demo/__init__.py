"""The bundled server and client, and the story they tell."""
