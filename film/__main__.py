"""Write the contracts between Python and the browser: `python -m film`."""

from film.contracts import BROWSER, CONTRACTS, javascript

if __name__ == "__main__":
    for path in CONTRACTS:
        (BROWSER / path).write_text(javascript(path), encoding="utf-8")
