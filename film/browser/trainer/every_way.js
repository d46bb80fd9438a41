// The picture of every way for a training of the page, as film/every_way.py makes it, with the sentences of
// bpe/analysis/tie_graph.py.

/** @import {ChipLabel, EveryWay, StrandKind, WayNode, WayStrand, WayToken} from "../shared/feed_types.js" */
/** @import {Spelling} from "../player/spelling.js" */
/** @import {Kind, Stopped, TieGraph, WaysEdge} from "./tie_listing.js" */
/** @import {Training} from "./training.js" */

import { numberWithoutId } from "../player/feed.js";
import { chipLabelOf, spellingOf } from "../player/spelling.js";
import { formatCount, formatNumber, mergeName, sumOf } from "../shared/numbers.js";
import { coloursOfLanes } from "./feeds.js";
import { specialCharacters } from "./text.js";
import { listingRequest, tieGraphSteps } from "./tie_graph.js";
import { MOST_WAYS } from "./tie_listing.js";
import { mergeWord } from "./tie_words.js";
import { mostMerges } from "./training.js";

const MOST_ROWS = 13;
const MOST_BETWEEN = 90;
const MOST_WAY_NODES = 240;
const MOST_COLUMNS = 26;
const MOST_NODE_CHIPS = 3;
const MOST_IN_LENS = 40;
const LONGEST_LABEL = 24; // bytes
const MOST_TOLD_WORDS = 6;
const MOST_SPLIT_WORDS = 300;
const MOST_TOKENS_OF_WORD = 24;

/** What a listing in the page may take. @typedef {{mostSplits: number, mostSeconds: number}} Bounds */

/**
 * A strand before it is written.
 * @typedef {object} Strand
 * @property {number} source
 * @property {number | null} target  null if the picture ends in it
 * @property {StrandKind} kind
 * @property {[string, string][]} pairs
 * @property {number} merges
 * @property {Kind} tie
 * @property {number} splits
 * @property {WaysEdge[]} edges
 */

/**
 * List every way of the first training and return the picture, with the lines of the trainings that share its ways.
 * @param {Training[]} trainings
 * @param {string[]} titles  of these
 * @param {Bounds} bounds
 * @yields when the work could be ended
 * @returns {Generator<void, EveryWay>}
 */
export function* everyWaySteps(trainings, titles, bounds) {
  const graph = yield* graphSteps(trainings[0], bounds);
  const shared = trainings.flatMap((training, lane) =>
    withoutTies(training) === withoutTies(trainings[0]) ? [{ training, title: titles[lane] }] : [],
  );
  return everyWay(graph, shared, trainings);
}

/**
 * @param {Training} training
 * @param {Bounds} bounds
 * @yields when the work could be ended
 * @returns {Generator<void, TieGraph>}
 */
export function graphSteps(training, bounds) {
  const limit = mostMerges(training.live, training.recipe, training.alphabetSize);
  return tieGraphSteps(listingRequest(training, limit, bounds));
}

/** Return the settings that decide which ways there are. @param {Training} training */
function withoutTies({ recipe }) {
  const { tie_break: _rule, seed: _seed, picks: _picks, ...rest } = recipe;
  return JSON.stringify(Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * @param {TieGraph} graph
 * @param {{training: Training, title: string}[]} lanes
 * @param {Training[]} trainings  all that share colours
 * @returns {EveryWay}
 */
export function everyWay(graph, lanes, trainings) {
  const edgesFrom = graph.nodes.map(() => /** @type {WaysEdge[]} */ ([]));
  const edgesTo = graph.nodes.map(() => /** @type {WaysEdge[]} */ ([]));
  for (const edge of graph.edges) {
    edgesFrom[edge.source].push(edge);
    edgesTo[edge.target].push(edge);
  }
  const { strands, until } = strandsOf(graph, edgesFrom);
  const visible = new Set([0, ...strands.flatMap(({ source, target }) => [source, target ?? source])]);
  const numbers = [...visible].toSorted(
    (one, other) => graph.nodes[one].merges - graph.nodes[other].merges || one - other,
  );
  const at = new Map(numbers.map((number, position) => [number, position]));
  const positionOf = (/** @type {number} */ number) => at.get(number) ?? 0;
  const tokens = createTokens(lanes[0].training, trainings);
  const common = commonTokens(graph, numbers);
  const wordsAt = createWords(lanes[0].training, edgesTo);
  const nodes = numbers.map((number) =>
    writtenNode(graph, number, common.get(number) ?? new Set(), tokens, wordsAt),
  );
  /** @type {number | undefined} */
  let open;
  const drawnStrands = strands.map((strand) => {
    let target;
    if (strand.target === null) {
      if (open === undefined) {
        open = nodes.length;
        const ending = strands.filter((one) => one.target === null);
        const last = Math.max(...ending.map((one) => nodes[positionOf(one.source)].merges));
        nodes.push({
          merges: last + 1,
          number: -1,
          tokens: [],
          more: 0,
          meeting: false,
          open: true,
          words: [],
        });
      }
      target = open;
    } else target = positionOf(strand.target);
    return writtenStrand(strand, positionOf(strand.source), target, tokens);
  });
  const lines = lanes.map(({ training, title }) => lineOf(edgesFrom, title, training, strands));
  const [sentence, ...details] = tieSentences(graph);
  const notes = [...details, ...shownTexts(graph, until)];
  return {
    sentence,
    note: notes[0] ?? "",
    more: notes.slice(1).join(" "),
    until,
    tokens: tokens.rows,
    nodes,
    strands: drawnStrands,
    lines,
    splits: graph.splits.flatMap((splits, number) => (splits > 1n ? [[number, Number(splits)]] : [])),
  };
}

/**
 * @param {Strand} strand
 * @param {number} source
 * @param {number} target
 * @param {Tokens} tokens
 * @returns {WayStrand}
 */
function writtenStrand(strand, source, target, tokens) {
  const tokensMade = somePairs(strand).map(([left, right]) => tokens.position(left + right));
  return {
    source,
    target,
    kind: strand.kind,
    tie: strand.tie,
    merges: strand.merges,
    tokens: tokensMade,
    more: strand.pairs.length - tokensMade.length,
    splits: strand.splits,
  };
}

/** Return the pairs whose chips are shown: of a long run some from its beginning to its end. @param {Strand} strand */
function somePairs({ kind, pairs }) {
  if (kind !== "run" || pairs.length <= MOST_IN_LENS) return pairs.slice(0, MOST_IN_LENS);
  return Array.from(
    { length: MOST_IN_LENS },
    (_, at) => pairs[Math.floor((at * pairs.length) / MOST_IN_LENS)],
  );
}

// What is drawn of a graph

/**
 * Return the strands of the picture, and the number of merges up to which it goes.
 * @param {TieGraph} graph
 * @param {WaysEdge[][]} edgesFrom
 */
function strandsOf(graph, edgesFrom) {
  const meetings = graph.nodes.flatMap(({ meeting }, number) => (meeting ? [number] : []));
  /** @type {Strand[]} */
  let strands = [];
  let nodes = 1;
  let until = 0;
  for (const [index, start] of meetings.entries()) {
    const end = meetings.at(index + 1) ?? null;
    const inner = innerNodes(graph, start, end);
    const isSmall = inner.length <= MOST_BETWEEN && widest(graph, inner) <= MOST_ROWS;
    if (nodes + (isSmall ? inner.length : 0) > MOST_WAY_NODES) {
      strands.push(newStrand(start, null, "fray", "choice"));
      break;
    }
    if (end === null) {
      const last = lastStrands(graph, edgesFrom, start, inner, MOST_WAY_NODES - nodes);
      strands.push(...last.strands);
      ({ until } = last);
    } else if (isSmall) strands.push(...strandsBetween(graph, edgesFrom, new Set([start, end, ...inner])));
    else strands.push(knot(graph, edgesFrom, start, end, inner));
    nodes += 1 + (isSmall ? inner.length : 0);
    until = Math.max(until, graph.nodes[end ?? start].merges);
  }
  const columns = new Set(strands.map(({ source }) => graph.nodes[source].merges));
  if (columns.size > MOST_COLUMNS) strands = withRuns(strands);
  return { strands, until };
}

/**
 * @param {number} source
 * @param {number | null} target
 * @param {StrandKind} kind
 * @param {Kind} tie
 * @param {Partial<Strand>} [more]
 * @returns {Strand}
 */
function newStrand(source, target, kind, tie, more = {}) {
  return { source, target, kind, tie, pairs: [], merges: 0, splits: 0, edges: [], ...more };
}

/**
 * Return the nodes between two meetings; all after the first one, without a second.
 * @param {TieGraph} graph
 * @param {number} start
 * @param {number | null} end
 */
function innerNodes({ nodes }, start, end) {
  const first = nodes[start].merges;
  const last = end === null ? Infinity : nodes[end].merges;
  return nodes.flatMap(({ merges }, number) =>
    number !== start && number !== end && first < merges && merges < last ? [number] : [],
  );
}

/** @param {TieGraph} graph @param {number[]} numbers */
function widest({ nodes }, numbers) {
  return Math.max(0, ...[...byMerges(nodes, numbers).values()].map(({ length }) => length));
}

/** Return nodes by number of merges. @param {TieGraph["nodes"]} nodes @param {number[]} numbers */
function byMerges(nodes, numbers) {
  /** @type {Map<number, number[]>} */
  const columns = new Map();
  for (const number of numbers) {
    const { merges } = nodes[number];
    const column = columns.get(merges);
    if (column) column.push(number);
    else columns.set(merges, [number]);
  }
  return columns;
}

/**
 * Return all edges between these nodes as strands.
 * @param {TieGraph} graph
 * @param {WaysEdge[][]} edgesFrom
 * @param {Set<number>} numbers
 */
function strandsBetween({ nodes }, edgesFrom, numbers) {
  return [...numbers]
    .toSorted((one, other) => one - other)
    .flatMap((number) => edgesFrom[number])
    .filter(({ target }) => numbers.has(target))
    .map((edge) =>
      newStrand(edge.source, edge.target, edge.pairs.length > 1 ? "lens" : "merge", edge.kind, {
        pairs: edge.pairs,
        merges: nodes[edge.target].merges - nodes[edge.source].merges,
        edges: [edge],
      }),
    );
}

/**
 * @param {TieGraph} graph
 * @param {WaysEdge[][]} edgesFrom
 * @param {number} start
 * @param {number} end
 * @param {number[]} inner
 */
function knot({ nodes, splits }, edgesFrom, start, end, inner) {
  const [first, last] = [nodes[start].merges, nodes[end].merges];
  const within = splits.slice(first + 1, last);
  return newStrand(start, end, "knot", "detour", {
    merges: last - first,
    splits: within.length ? largest(within) : inner.length,
    edges: [start, ...inner].flatMap((number) => edgesFrom[number]),
  });
}

/** @param {bigint[]} numbers */
function largest(numbers) {
  return Number(numbers.reduce((most, number) => (number > most ? number : most), 0n));
}

/**
 * Return what is drawn after the last meeting: as many merges as are clear, and that it goes on.
 * @param {TieGraph} graph
 * @param {WaysEdge[][]} edgesFrom
 * @param {number} start
 * @param {number[]} inner
 * @param {number} room
 */
function lastStrands(graph, edgesFrom, start, inner, room) {
  const columns = byMerges(graph.nodes, inner);
  let until = graph.nodes[start].merges;
  const visible = new Set([start]);
  for (const merges of [...columns.keys()].toSorted((one, other) => one - other)) {
    const column = columns.get(merges) ?? [];
    if (column.length > MOST_ROWS || visible.size + column.length > Math.min(room, MOST_BETWEEN)) break;
    for (const number of column) visible.add(number);
    until = merges;
  }
  const strands = strandsBetween(graph, edgesFrom, visible);
  // Orders that are counted but not in the graph, where training ends inside a tie, follow its last nodes.
  const isCut = Math.max(...graph.nodes.map(({ merges }) => merges)) < graph.splits.length - 1;
  const goesOn = graph.results === null || isCut;
  for (const number of [...visible].toSorted((one, other) => one - other)) {
    const dropped = edgesFrom[number].filter(({ target }) => !visible.has(target));
    if (dropped.length || (goesOn && !edgesFrom[number].length)) {
      const splits = largest(graph.splits.slice(until));
      strands.push(newStrand(number, null, "fray", "choice", { splits, edges: dropped }));
    }
  }
  return { strands, until };
}

/** Return the strands with those joined that follow each other without a choice. @param {Strand[]} strands */
function withRuns(strands) {
  /** @type {Map<number, Strand[]>} */
  const leaving = new Map();
  /** @type {Map<number | null, number>} */
  const reaching = new Map();
  for (const strand of strands) {
    leaving.set(strand.source, [...(leaving.get(strand.source) ?? []), strand]);
    reaching.set(strand.target, (reaching.get(strand.target) ?? 0) + 1);
  }
  const inside = new Set();
  const joined = [];
  for (const strand of strands.toSorted((one, other) => one.source - other.source)) {
    if (inside.has(strand)) continue;
    const run = [strand];
    for (;;) {
      const last = run[run.length - 1];
      if (!isCalm(last) || last.target === null) break;
      const after = leaving.get(last.target) ?? [];
      if (after.length !== 1 || reaching.get(last.target) !== 1 || !isCalm(after[0])) break;
      run.push(after[0]);
    }
    for (const one of run) inside.add(one);
    joined.push(run.length === 1 ? strand : joinedRun(run));
  }
  return joined;
}

/** @param {Strand} strand */
function isCalm({ kind, tie }) {
  return (kind === "merge" || kind === "lens") && (tie === "none" || tie === "order only");
}

/** @param {Strand[]} strands @returns {Strand} */
function joinedRun(strands) {
  return {
    ...strands[0],
    target: strands[strands.length - 1].target,
    kind: "run",
    pairs: strands.flatMap(({ pairs }) => pairs),
    merges: sumOf(strands.map(({ merges }) => merges)),
    tie: strands.some(({ tie }) => tie === "order only") ? "order only" : "none",
    edges: strands.flatMap(({ edges }) => edges),
  };
}

/** @param {[string, string]} pair */
function keyOfPair([left, right]) {
  return `${left.length} ${left}${right}`;
}

/**
 * Return the strands that a training goes along.
 * @param {WaysEdge[][]} edgesFrom
 * @param {string} title
 * @param {Training} training
 * @param {Strand[]} strands
 */
function lineOf(edgesFrom, title, { log, symbols }, strands) {
  const strandOf = new Map(strands.flatMap(({ edges }, number) => edges.map((edge) => [edge, number])));
  const rankOf = new Map(
    log.left.map((left, rank) => [keyOfPair([symbols[left], symbols[log.right[rank]]]), rank]),
  );
  const firstRank = (/** @type {WaysEdge} */ { pairs }) =>
    Math.min(...pairs.map((pair) => rankOf.get(keyOfPair(pair)) ?? Infinity));
  /** @type {number[]} */
  const numbers = [];
  for (let node = 0; ;) {
    const leaving = edgesFrom[node].filter(({ pairs }) => pairs.every((pair) => rankOf.has(keyOfPair(pair))));
    if (!leaving.length) break;
    const edge = leaving.reduce((best, other) => (firstRank(other) < firstRank(best) ? other : best));
    const number = strandOf.get(edge);
    if (number === undefined) break;
    if (numbers.at(-1) !== number) numbers.push(number);
    node = edge.target;
  }
  return { title, strands: numbers, merges: log.left.length };
}

// Nodes and their tokens

/**
 * Return what numbers the tokens of a picture. Each is in the list once.
 * @param {Training} training
 * @param {Training[]} trainings  all that share colours
 */
function createTokens(training, trainings) {
  const { variant, reader, symbols, recipe, live, corpus } = training;
  const { marker } = reader;
  const markerByte = marker ? marker.charCodeAt(0) : -1;
  const characters = specialCharacters(live, corpus.preTokens, symbols);
  const spelling = spellingOf(markerByte, variant.marker_text, characters);
  const specials = recipe.special_tokens?.length ?? 0;
  const ids = new Map(symbols.map((symbol, id) => [symbol, id + specials]));
  const shades = trainings.length > 1 ? coloursOfLanes(trainings) : null;
  /** @type {Map<string, number>} */
  const positions = new Map();
  /** @type {WayToken[]} */
  const rows = [];
  return {
    rows,
    /** @param {string} symbol */
    position(symbol) {
      let position = positions.get(symbol);
      if (position === undefined) {
        position = rows.length;
        positions.set(symbol, position);
        rows.push({
          label: shortLabel(symbol, spelling),
          shade: shades?.(symbol) || (ids.get(symbol) ?? numberWithoutId(symbolBytes(symbol))),
        });
      }
      return position;
    },
  };
}

/** @typedef {ReturnType<typeof createTokens>} Tokens */

/** @param {string} symbol */
function symbolBytes(symbol) {
  return Array.from(symbol, (letter) => letter.charCodeAt(0));
}

/**
 * Return how a chip writes a symbol, only its two ends if it is long, as `short_chip_label` in Python.
 * @param {string} symbol
 * @param {Spelling} spelling
 * @returns {ChipLabel}
 */
function shortLabel(symbol, spelling) {
  const bytes = symbolBytes(symbol);
  if (bytes.length <= LONGEST_LABEL) return chipLabelOf(bytes, spelling);
  const startOf = (/** @type {number} */ position) => {
    for (let back = 0; back < 4; back++) if ((bytes[position - back] & 0xc0) !== 0x80) return position - back;
    return position;
  };
  const half = LONGEST_LABEL / 2;
  const [head, tail] = [bytes.slice(0, startOf(half)), bytes.slice(startOf(bytes.length - half))].map(
    (part) => [chipLabelOf(part, spelling)].flat(),
  );
  // The runs of text and of bytes take turns: text, bytes, text …
  const [last, first] = [head.length % 2 === 0 ? "" : head.pop(), tail.shift()];
  const joined = [...head, `${last}…${first}`, ...tail];
  return joined.length > 1 ? joined : joined[0];
}

/**
 * Return what splits the words of the training text as at a node: by falling frequency, none if they are too many.
 * @param {Training} training
 * @param {WaysEdge[][]} edgesTo
 */
function createWords({ corpus, words, symbols }, edgesTo) {
  if (corpus.preTokens.length > MOST_SPLIT_WORDS) return () => [];
  const order = words.map((_, number) => number);
  order.sort((one, other) => corpus.frequencies[other] - corpus.frequencies[one] || one - other);
  /** @type {Map<number, string[][]>} */
  const split = new Map([[0, order.map((number) => words[number].map((id) => symbols[id]))]]);
  return (/** @type {number} */ node) => {
    const way = [];
    for (let at = node; !split.has(at); at = way[way.length - 1].source) way.push(edgesTo[at][0]);
    let now = split.get(way.at(-1)?.source ?? node) ?? [];
    for (const edge of way.toReversed()) {
      for (const [left, right] of edge.pairs)
        now = now.map((word) => mergeWord(word, left, right, left + right));
      split.set(edge.target, now);
    }
    return now;
  };
}

/**
 * Return a node. Of many tokens it shows those by which it differs from the nodes above and below it.
 * @param {TieGraph} graph
 * @param {number} number
 * @param {Set<string>} common
 * @param {Tokens} tokens
 * @param {(node: number) => string[][]} wordsAt
 * @returns {WayNode}
 */
function writtenNode(graph, number, common, tokens, wordsAt) {
  const node = graph.nodes[number];
  let visible = node.tokens;
  if (visible.length > MOST_NODE_CHIPS) {
    const differing = visible.filter((token) => !common.has(token));
    visible = (differing.length ? differing : visible).slice(-MOST_NODE_CHIPS);
  }
  const recent = new Set(node.tokens);
  const telling = wordsAt(number).filter((word) => word.some((token) => recent.has(token)));
  return {
    merges: node.merges,
    number,
    tokens: visible.map(tokens.position),
    more: node.tokens.length - visible.length,
    meeting: node.meeting,
    open: false,
    words: telling
      .slice(0, MOST_TOLD_WORDS)
      .map((word) => word.slice(0, MOST_TOKENS_OF_WORD).map(tokens.position)),
  };
}

/**
 * Return for each node the tokens that all nodes after as many merges show.
 * @param {TieGraph} graph
 * @param {number[]} numbers
 */
function commonTokens({ nodes }, numbers) {
  /** @type {Map<number, Set<string>>} */
  const common = new Map();
  for (const column of byMerges(nodes, numbers).values()) {
    const [first, ...others] = column.map((number) => new Set(nodes[number].tokens));
    const shared = [...first].filter((token) => others.every((tokens) => tokens.has(token)));
    for (const number of column) common.set(number, new Set(column.length > 1 ? shared : []));
  }
  return common;
}

// The sentences

/** Return what the picture shows of a graph if it does not show all. @param {TieGraph} graph @param {number} until */
function shownTexts(graph, until) {
  const together = Math.max(...graph.nodes.map(({ merges, meeting }) => (meeting ? merges : 0)));
  const parted = partedAt(graph);
  const texts = [];
  if (parted !== null && parted <= together && together <= until)
    texts.push(
      `In the picture, the paths part after merge ${formatNumber(together)}: tied pairs that do not overlap are drawn in one order.`,
    );
  if (until > 0 && until < graph.splits.length - 1)
    texts.push(`The picture ends after ${formatCount(until, "merge")}.`);
  return texts;
}

/**
 * Return the number of merges from which on the ways never all split the text alike, as `TieGraph.parted` in Python.
 * @param {TieGraph} graph
 */
function partedAt({ results, edges, splits, stopped }) {
  const isApart = results !== null && results !== 1n && !stopped;
  const lasts = isApart && edges.some(({ kind }) => kind === "fork" || kind === "choice");
  return lasts ? 1 + splits.lastIndexOf(1n) : null; // without a choice, training only ends inside a tie
}

/** Return what a tie graph shows: one finding, then what to know of it, as `tie_sentences` in Python. @param {TieGraph} graph */
function tieSentences(graph) {
  const { results, orders } = graph;
  if (results === null) return sentencesOfPart(graph);
  if (orders === 1n) return ["No pairs ever tie, so there is only one way."];
  let many = `${largeNumberText(orders)} ways to break the ties`;
  // What ways of different lengths learn is not counted together.
  const vocabularies = orders === graph.ways.at(-1) ? (graph.vocabularies.at(-1) ?? null) : null;
  if (vocabularies !== null)
    many += vocabularies === 1n ? ", one vocabulary" : `, ${largeNumberText(vocabularies)} vocabularies`;
  many = many[0].toUpperCase() + many.slice(1);
  if (results === 1n) return [`${many}: every one splits the text the same way.`];
  return [findingOf(graph, results), `${many}.`];
}

/** Return what all ways lead to, if they do not all split the text the same way. @param {TieGraph} graph @param {bigint} results */
function findingOf(graph, results) {
  const { splits } = graph;
  if (graph.stopped) return `The ways end in ${inWords(results)} different splits.`;
  const parted = partedAt(graph);
  if (parted === null) return `Training ends inside a tie, with ${inWords(results)} possible splits.`;
  const begin = `From ${mergeName(parted - 1)} on`;
  if (splits.slice(parted).every((number) => number === results) && parted < splits.length)
    return `${begin}, there are ${inWords(results)} different splits: this tie makes a lasting difference.`;
  return `${begin}, the paths never all meet again: they end in ${inWords(results)} different splits.`;
}

/** @param {TieGraph} graph */
function sentencesOfPart(graph) {
  /** @type {Record<Stopped, string>} */
  const reasons = {
    splits: `there are more than ${formatNumber(graph.mostSplits)} splits`,
    memory: "the list would take too much memory",
    time: "the time was up",
    figures: "there are too many splits to compare",
    "": "there are too many splits to compare",
  };
  const why = reasons[graph.stopped];
  const listed = graph.splits.length - 1;
  if (!listed) return ["There are too many ways to list.", `Nothing is listed: ${why}.`];
  return [
    findingOfPart(graph),
    `We stopped listing after ${formatCount(listed, "merge")}.`,
    `After that, ${why}.`,
  ];
}

/** Return how many splits there are at the last moment at which they can be compared. @param {TieGraph} graph */
function findingOfPart({ splits, ends }) {
  let number = splits[splits.length - 1];
  let when = `after ${formatCount(splits.length - 1, "merge")}`;
  if (ends.size) {
    const count = Math.min(...ends.keys());
    number = ends.get(count) ?? 1n;
    const often = count === 2 ? "twice" : `${formatNumber(count)} times`;
    const pairs = count === 1 ? "every pair" : `every pair that occurs ${often} or more`;
    when = `once ${pairs} is merged`;
  }
  if (number === 1n) return `Every way splits the text the same way ${when}.`;
  return `${number.toLocaleString("en")} different splits are possible ${when}.`;
}

/** Return a number, of a long one how many digits it has. @param {bigint | null} number */
function largeNumberText(number) {
  if (number !== null && number < 10n ** 12n) return number.toLocaleString("en");
  const power =
    number === null ? Math.floor((MOST_WAYS.toString(2).length * 3) / 10) : String(number).length - 1;
  return `more than 10${String(power).replaceAll(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)])}`;
}

/** @param {bigint} number */
function inWords(number) {
  const words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  return words[Number(number) - 2] ?? number.toLocaleString("en");
}
