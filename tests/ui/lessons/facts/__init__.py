"""How the facts that lessons state are compared with the core."""
