// What Python gives the browser: `python -m film` writes this file from film/feed.py.

/** Rows of a pair table. */
export const PAIR_ROWS = 50;

/** A token without a vocabulary id has a number from this one on, by its bytes. Ids are smaller. */
export const FIRST_NUMBER = 1048576;

/** So many such numbers there are. */
export const MOST_NUMBERS = 1073741824;

/** The byte that marks the end of a word. Any other marker marks the start of one. */
export const END_MARKER = 255;

/** Whole numbers as `film.packing.packed` writes them: "2:" and two digits of base 91 for each number. @typedef {string} Packed */

/** Numbers of a feed: packed by Python, and as they are where a page has trained. @typedef {Packed | number[]} Column */

/** Bytes, two hexadecimal digits each: "c3a9" for é. @typedef {string} Hex */

/**
 * The characters of the feed's tokens that a label does not always show unchanged.
 * @typedef {object} Characters
 * @property {string} hidden  always shown by their names, as <ZWSP> or <U+0000>
 * @property {string} joining  shown as they are inside a label; as <ZWJ> at its edge or beside a marker
 * @property {string} marks  shown as they are, after ◌ at the start of a label or behind a marker
 * @property {string} selectors  shown as they are; as <VS16> at the start of a label or behind a marker
 * @property {Record<string, string[]>} names  {invisible character that occurs: [abbreviation, name]}
 */

/**
 * The distinct words of the window by first appearance. A long word may be cut at the window's edges.
 * @typedef {object} Words
 * @property {Column} lengths  initial symbols of each word
 * @property {Column} symbols  the words' initial symbols, word after word, as positions in the feed's symbols
 * @property {Column} closes  for each of them: 1 + closing step of the boundary after it; 0 if no step closes it
 * @property {Column} frequencies  training: in the corpus, 0 for a word that is not in it; encoding: in the window
 */

/**
 * The running text of the window, and its position. Empty or 0 for a corpus of counted words.
 * @typedef {object} RunningText
 * @property {Column} words  the number of each word, in reading order
 * @property {Column} breaks  Positions in `words` of those that begin a line, if no word holds the line end before them.
 * @property {number} start  first character of the window, from 0
 * @property {number} end  the character after its last one
 * @property {number} total  characters in the whole text
 */

/**
 * The running text of a training.
 * @typedef {object} TrainingText
 * @property {Column} words  the number of each word, in reading order
 * @property {Column} breaks  Positions in `words` of those that begin a line, if no word holds the line end before them.
 * @property {number} start  first character of the window, from 0
 * @property {number} end  the character after its last one
 * @property {number} total  characters in the whole text
 * @property {number} letters  UTF-8 bytes from `start` to the first word, white space left out; aligns lanes of other variants
 */

/**
 * The steps, one item each in every packed list.
 * @typedef {object} Steps
 * @property {Column} left  vocabulary id of the left token of the merged pair
 * @property {Column} right  vocabulary id of the right one
 * @property {Column} count  training: the count of the pair; encoding: positions in the window
 */

/**
 * The merges of a training. Merge k makes the token with the id `first` + k, unless the feed has a `replay`.
 * @typedef {object} TrainingSteps
 * @property {Column} left  vocabulary id of the left token of the merged pair
 * @property {Column} right  vocabulary id of the right one
 * @property {Column} count  training: the count of the pair; encoding: positions in the window
 * @property {number} first  vocabulary id of the token that merge 0 makes
 * @property {Column} tied  Number of pairs that had this count, the merged one included; 0 in a replay if another pair had a higher one.
 * @property {Column} differs  the merges that replaced fewer occurrences than counted, mostly as they overlapped
 * @property {Column} replaced  occurrences that each of those replaced
 * @property {Column} choices  the merges whose pair overlaps a tied one, a rival: at the others a tie decided the order only
 * @property {Column} rivals  number of rivals at each of those
 * @property {Column} rival_ids  vocabulary ids of the rivals, the one that loses most first: left, right, left, right, …
 * @property {Column} rival_losses  how many of its places each rival loses by the merge
 */

/**
 * The steps of an encoder. A token taken from the vocabulary is both `left` and `right`.
 * @typedef {object} EncodingSteps
 * @property {Column} left  vocabulary id of the left token of the merged pair
 * @property {Column} right  vocabulary id of the right one
 * @property {Column} count  training: the count of the pair; encoding: positions in the window
 * @property {Column} ids  vocabulary id of the token that the step makes or takes
 * @property {Column} ranks  rank of the merge that the step applies; "" if steps take tokens from the vocabulary
 */

/**
 * The distinct initial symbols that the feed refers to.
 * @typedef {object} Symbols
 * @property {string} hex  the Hex of each symbol, with spaces between; those of the window come first
 * @property {Column} ids  vocabulary id + 1 of each symbol; 0 for one that the vocabulary does not hold
 */

/**
 * The initial symbols of a training.
 * @typedef {object} TrainingSymbols
 * @property {string} hex  the Hex of each symbol, with spaces between; those of the window come first
 * @property {Column} ids  vocabulary id + 1 of each symbol; 0 for one that the vocabulary does not hold
 * @property {Column} counts  occurrences of each symbol in the corpus before any merge
 */

/**
 * The initial symbols of an encoding.
 * @typedef {object} EncodingSymbols
 * @property {string} hex  the Hex of each symbol, with spaces between; those of the window come first
 * @property {Column} ids  vocabulary id + 1 of each symbol; 0 for one that the vocabulary does not hold
 * @property {Record<string, Hex>} others  vocabulary id -> bytes, of tokens that steps take from the vocabulary
 */

/**
 * The pairs that tied at the first steps. The browser receives those of a later step when it rests there.
 * @typedef {object} Ties
 * @property {number} steps  number of steps covered, from step 0 on
 * @property {Column} sizes  number of tied pairs at each of them, the merged one included
 * @property {Column} ids  vocabulary ids of these pairs by first occurrence: left, right, left, right, …
 */

/**
 * The merges whose tie was not decided by the first term of the rule's order.
 * @typedef {object} LaterTerms
 * @property {number} until  number of merges that it tells of
 * @property {Column} steps
 * @property {Column} terms  position of the term that decided, as in `reasons`
 * @property {Column} compared  how many pairs it compared
 */

/**
 * The part of a feed that only a replay of a tokenizer's merge list has. Its packed lists have an item per step.
 * @typedef {object} Replay
 * @property {number} steps  number of steps that apply the list's merges; the rest is learned from the text
 * @property {Column} ids  vocabulary id of the token that the merge makes
 * @property {Column} ranks  rank of the merge in the tokenizer's list; learned ones follow the list
 * @property {number} merges  number of merges in the list, without the learned ones
 * @property {Column} best  a pair of the highest count before the merge, two ids: left, right, left, right, …
 * @property {Column} highest  that count
 * @property {Column} vocabulary  number of tokens in the vocabulary after 0, 1, 2, … merges: one item more
 */

/**
 * The second stage of a training, which learns superwords or, after a replay, further merges.
 * @typedef {object} Stage
 * @property {number} after  number of merges before it
 * @property {boolean} superwords  whether its words are longer: a token may span several words of the first stage
 * @property {number} tokens  of the corpus when it begins
 * @property {Column} ids  Tokens that occur more or less often when it begins, since some of its words are split in other places: their vocabulary ids, and how often they then occur.
 * @property {Column} counts
 * @property {Column} ends  For each initial symbol of the feed's words: 1 if a word of the first stage ends after it, else 0. It is "" if both stages count pairs in the same words.
 */

/**
 * The keys of every feed.
 * @typedef {object} CommonFeed
 * @property {string} family  names the corpus and the settings: feeds of one family differ only in their window
 * @property {string} cells  names the window's initial symbols: feeds of equal `cells` can be compared cell by cell
 * @property {string} id  names the whole feed
 * @property {"bytes" | "characters"} unit  what an initial symbol is made of
 * @property {Hex} marker  The byte that marks the end ("ff") or the start ("fe") of a word; "" in a variant without one.
 * @property {string} marker_text  how labels spell the marker: "</w>", "_", "▁"; "" in a variant without one
 * @property {Characters} characters
 * @property {number} last  number of steps
 * @property {string} ending  why there is no further step, shown after the last one
 * @property {boolean} rows  whether the distinct words can be shown instead of the running text
 * @property {Words} words
 */

/**
 * A training on a window of the corpus.
 * @typedef {object} TrainingFeed
 * @property {string} family  names the corpus and the settings: feeds of one family differ only in their window
 * @property {string} cells  names the window's initial symbols: feeds of equal `cells` can be compared cell by cell
 * @property {string} id  names the whole feed
 * @property {"bytes" | "characters"} unit  what an initial symbol is made of
 * @property {Hex} marker  The byte that marks the end ("ff") or the start ("fe") of a word; "" in a variant without one.
 * @property {string} marker_text  how labels spell the marker: "</w>", "_", "▁"; "" in a variant without one
 * @property {Characters} characters
 * @property {number} last  number of steps
 * @property {string} ending  why there is no further step, shown after the last one
 * @property {boolean} rows  whether the distinct words can be shown instead of the running text
 * @property {Words} words
 * @property {true} training
 * @property {TrainingText} text
 * @property {TrainingSymbols} symbols
 * @property {TrainingSteps} steps
 * @property {number} tokens  of the corpus before any merge, each word as often as it occurs
 * @property {string} rule  title of the tie-breaking rule; "" in a mere replay, which needs none
 * @property {string[][]} reasons  Why a pair wins, for each term of the rule's order: (term, words, of_all, of_some), as in bpe/settings/tie_breaking.py; empty in a replay.
 * @property {number} seed  of a rule that draws
 * @property {Record<string, string[]>} code  {CodeBeat: the lines of Python that stand there in the textbook's code}, of variant, rule and stop rule. If the textbook's code does not tell what was done, "none" has one line: a sentence that says why.
 * @property {boolean} spent  whether the training ended because no pair was left, or none that occurs often enough
 * @property {Ties | null} ties  None if the feed does not say which pairs tied, or is `whole`, so that the browser can count them
 * @property {number[]} picked  the merges that were picked by hand, in order
 * @property {boolean} picks  whether the viewer may pick another one of the tied pairs
 * @property {boolean} overlaps  whether overlapping occurrences of a pair count
 * @property {boolean} whole  whether the feed holds every word of the corpus, uncut: then the browser can count pairs itself
 * @property {number} further  if `whole`: how many of its last words are not in the window
 * @property {Column} order  if `whole`: the numbers of the corpus's words in the trainer's order; "" for 0, 1, 2, …
 * @property {Column} barred  If `whole`: vocabulary ids of the pairs that no merge may merge: left, right, left, right, …
 * @property {LaterTerms} [later]  if the browser cannot count the pairs and would know no reason
 * @property {Replay} [replay]
 * @property {Stage} [stage]
 */

/**
 * An encoding of a window of a new text.
 * @typedef {object} EncodingFeed
 * @property {string} family  names the corpus and the settings: feeds of one family differ only in their window
 * @property {string} cells  names the window's initial symbols: feeds of equal `cells` can be compared cell by cell
 * @property {string} id  names the whole feed
 * @property {"bytes" | "characters"} unit  what an initial symbol is made of
 * @property {Hex} marker  The byte that marks the end ("ff") or the start ("fe") of a word; "" in a variant without one.
 * @property {string} marker_text  how labels spell the marker: "</w>", "_", "▁"; "" in a variant without one
 * @property {Characters} characters
 * @property {number} last  number of steps
 * @property {string} ending  why there is no further step, shown after the last one
 * @property {boolean} rows  whether the distinct words can be shown instead of the running text
 * @property {Words} words
 * @property {false} training
 * @property {RunningText} text
 * @property {EncodingSymbols} symbols
 * @property {EncodingSteps} steps
 * @property {boolean} taken  whether the steps take tokens from the vocabulary instead of merging pairs
 * @property {Record<Hex, number>} names  Bytes -> vocabulary id of each token that a step makes or takes; -1 for one without an id.
 */

/** @typedef {TrainingFeed | EncodingFeed} Feed */

/** A label; if some bytes are no whole character: (text, bytes, text, …), the bytes in hexadecimal ("F0 9F"). @typedef {string | string[]} ChipLabel */

/** When a line of code is lit: in a beat of a merge, or at rest, as the line that comes next. The others are never lit: what splits and spells the text before the loop, what stops it, and "" for all the rest. @typedef {"rest" | "count" | "select" | "fuse" | "settle" | "split" | "spell" | "stop" | ""} CodeBeat */

/**
 * One line of code, as `film.textbook_code` reads it.
 * @typedef {object} CodeLine
 * @property {number} depth  of its indentation, from 0
 * @property {string} text
 * @property {CodeBeat} beat
 * @property {string} about  what it does, in a sentence
 */

/** How a strand is drawn: one merge; several pairs, merged in any order; many merges that all ways share; more splits than can be drawn; the end of what is listed or drawn. @typedef {"merge" | "lens" | "run" | "knot" | "fray"} StrandKind */

/**
 * One split of the training text.
 * @typedef {object} WayNode
 * @property {number} merges
 * @property {number} number  in the tie graph; -1 if it stands for all that is not drawn
 * @property {number[]} tokens  positions of those that are new since all ways last met
 * @property {number} more  how many more there are
 * @property {boolean} meeting  whether all ways pass it
 * @property {boolean} open  whether it stands for all that is not drawn
 * @property {number[][]} words  words that hold new tokens, each as positions of its tokens; the most frequent first
 */

/**
 * Merges from one node to another.
 * @typedef {object} WayStrand
 * @property {number} source  position of a node
 * @property {number} target
 * @property {StrandKind} kind
 * @property {string} tie  the kind of the tie, as in `bpe.tie_graph`
 * @property {number} merges
 * @property {number[]} tokens  positions of those that the merges make
 * @property {number} more  how many more there are
 * @property {number} splits  in a knot: the largest number of splits after any number of merges
 */

/**
 * The way of one training.
 * @typedef {object} WayLine
 * @property {string} title
 * @property {number[]} strands  positions of the strands, from the first node on
 * @property {number} merges  of the whole training
 */

/**
 * The picture of every way to break the ties.
 * @typedef {object} EveryWay
 * @property {string} sentence  one finding
 * @property {string} note  what to know of it, in a line below; "" if nothing
 * @property {string} more  behind that line; "" if nothing
 * @property {number} until  the number of merges up to which it goes
 * @property {ChipLabel[]} tokens
 * @property {WayNode[]} nodes  the first one is the untouched text
 * @property {WayStrand[]} strands
 * @property {WayLine[]} lines
 * @property {number[][]} splits  [number of merges, splits then], wherever there are several
 */
