"""First visit: the rows that pages begin with before anything is chosen. No other module of the app names a row."""

COMPARED_RULES = ("first", "pair-max")  # what most listings do, and what subword-nmt does
COMPARED_TRAINERS = (
    "hf-bytelevel",
    "subword-nmt",
    "minbpe-regex",
    "tiktoken-educational",
    "sentencepiece",
    "cs336",
)
TYPED_VARIANT = "char-eow"  # of a vocabulary typed by hand
