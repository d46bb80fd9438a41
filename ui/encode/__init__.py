"""The page Encode: new text encoded with learned merges or a typed vocabulary, step by step, and ids decoded."""
