"""What tests are given: texts, tokenizers, traces, and the real libraries."""
