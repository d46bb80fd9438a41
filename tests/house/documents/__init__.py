"""Tests of what documents and screens say."""
