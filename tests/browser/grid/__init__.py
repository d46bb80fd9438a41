"""Browser tests: grid."""
