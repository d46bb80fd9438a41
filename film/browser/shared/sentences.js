// What Python gives the browser: `python -m film` writes this file from bpe/sentences.py.

/** Why a tied pair won that somebody has picked */
export const BY_HAND = "picked by hand";

/** The tie of a merge that takes nothing from the tied pairs */
export const ORDER_ONLY = "it takes nothing from the {others}, so this only decides the order";

/** That of one that does: the rival that loses most */
export const RIVAL_FALLS = "a real choice: {pair} drops from {before} to {after}";

/** The same if it loses nothing, in a run of one symbol */
export const RIVAL_STAYS = "a real choice: {pair} shares a token with it";

/** How many other rivals there are */
export const MORE_RIVALS = ", and {others} {overlap} it";

/** A table of pairs without a row */
export const NO_PAIRS = "No pairs are left: every word is one token.";

/** Above the code of a training */
export const ABOUT_CODE = "The project’s own textbook code. Point at a line to read what it does.";
