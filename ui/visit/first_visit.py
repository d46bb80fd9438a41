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
# The sample that a page opens with; other pages open with the first one. Compare: its rules split every third word of
# another text differently, more than random tie-breaks do, and the words are among the most frequent ones of English.
OPENING_SAMPLES = {"compare": "ties"}
