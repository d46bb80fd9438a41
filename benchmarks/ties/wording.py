"""The parts of the page that no measurement changes: what the tables hold, limits, earlier work, how to repeat it."""

INTRODUCTION = """\
When several pairs share the highest count, a rule decides which one becomes a token. This page says how often that
happens, when, and what depends on the rule. The script `python -m benchmarks.ties` has measured it and has written this
page. A test compares the page with the measurements, [{folder}/results.json]({folder}/results.json)."""

HOW_OFTEN = """\
The share of the first merges that were tied, by the size of the training text. Each row ends with all merges of that
training."""

COUNT = """\
A merge is tied if another pair has the same count. Few pairs occur often, so two frequent pairs seldom have a count in
common; many pairs occur rarely. The table shows the tied share of the merges by the count of the merged pair, each
corpus in its largest size."""

OUTCOMES = """\
A tie is *harmless* if all tied pairs were merged while they had that count. It has *cascaded* if a merge used
occurrences of another tied pair, so that its count fell. It is *open* if training ended before all tied pairs were
merged."""

RULES = """\
Each row compares the other rules with the first one, after the most merges that all of them have: the lowest and the
highest figure among the rules. Held-out words are the words of the held-out text, as often as they occur there."""

LIMITS = """\
- One way of splitting text, and texts of at most a megabyte. Vocabularies as large as those of language models, trained
  on much more text, were not measured.
- The held-out text comes from the same corpus as the training text. Text of another kind was not measured.
- Tokens are compared, not models. Whether a model notices was not measured.
- In a text without spaces, such as the made-up genome, a whole piece is one word, and one boundary splits it
  differently."""

EARLIER = """\
No paper was found that measures how often ties occur in BPE, or what a tie-breaking rule changes. In November 2026
stored copies of public web pages, documentation and GitHub threads were searched for byte pair encoding together with
ties, tie-breaking, equal counts or frequencies, lexicographic order, random order of merges, and deterministic or
reproducible training. Such a search is no proof that there is none. Close to the subject are:

- Sälevä and Lignos 2023, *What changes when you randomly choose BPE merge operations? Not much*
  (doi:10.18653/v1/2023.insights-1.7): merges chosen at random, and machine translation with them.
- Sawada and Goyal 2025, *Train It and Forget It: Merge Lists are Unnecessary for BPE Inference in Language Models*
  (arXiv:2508.06621): merge lists in random order or with merges left out, and language models with them.
- *Batching BPE Tokenization Merges* (arXiv:2408.04653): hundreds of merges at a time.
- Threads of people who ask about equal counts: huggingface/tokenizers issue 1065, karpathy/minbpe pull request 90."""

REPEAT = """\
One command measures everything and writes this page, its figures, and the measurements as JSON and CSV files. It needs
about half a minute of one core:

```sh
python -m benchmarks.ties "All Around the Moon=pg16457.txt" -o docs
```

The novel is public: *All Around the Moon* by Jules Verne, translated by Edward Roth, ebook 16457 of Project Gutenberg,
as plain text in UTF-8 with its header and licence. Leave it out, or name files of your own, and the page is about
those. Python's standard library is a part of the one that runs; these figures are from bpe {bpe}, Python {python} and
Unicode {unicode}. The hashes are those of the texts in UTF-8, without a byte-order mark."""
