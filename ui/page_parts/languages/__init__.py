"""The languages on the page Tokenizers."""
