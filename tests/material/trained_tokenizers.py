"""Tokenizers that the real libraries train, for tests that open their files."""

from functools import cache

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers


@cache
def hugging_face(text: str, lowercase: bool = False) -> Tokenizer:
    """Return a byte-level tokenizer that Hugging Face's library trains, with a special token before the alphabet."""
    tokenizer = Tokenizer(models.BPE())
    if lowercase:
        tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=420,
        special_tokens=["<|end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator([text], trainer)
    return tokenizer
