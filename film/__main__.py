"""Print `film/browser/shared/feed_types.js`, the contract between Python and the browser."""

import sys

from film.feed import javascript

sys.stdout.write(javascript())
