"""First visit: the registry rows that pages begin with. No other module of the app names a row."""

COMPARED_RULES = ("first", "pair-max")  # the rule of most listings, and that of subword-nmt
COMPARED_TRAINERS = (
    "hf-bytelevel",
    "subword-nmt",
    "minbpe-regex",
    "tiktoken-educational",
    "sentencepiece",
    "cs336",
)
TYPED_VARIANT = "char-eow"  # of a vocabulary typed by hand
