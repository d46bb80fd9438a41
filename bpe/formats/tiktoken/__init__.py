"""Files of ranks, from which the merges are derived.

`tiktoken_ranks` reads and writes a .tiktoken file, and `published` knows OpenAI's encodings by their hash. `tekken`
reads Mistral's tekken.json, which holds ranks as well.
"""
