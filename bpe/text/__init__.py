"""Text: from text to pre-tokens to words of initial symbols, and back. `variants` is the registry: begin there."""
