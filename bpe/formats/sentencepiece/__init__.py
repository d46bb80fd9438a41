"""SentencePiece's `.model` files: pieces with scores, and how a text is changed before it is split into them."""
