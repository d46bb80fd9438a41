"""Tests of visits: sessions, messages from the browser, random actions."""
