"""Tests of the sample corpora: what they show, and every figure that their README states."""
