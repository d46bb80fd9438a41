/** @import {Live} from "../../film/browser/trainer/live_types.js" */
/** @import {OwnSettings} from "../../film/browser/film/own_settings.js" */

import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import {
  ownHash,
  readOwnHash,
  namesOf,
  recipeOf,
  withOtherLanes,
  withoutPicks,
  wayOf,
} from "../../film/browser/film/own_settings.js";

const LIVE = /** @type {Live} */ (
  /** @type {unknown} */ ({
    variants: [{ slug: "char-eow" }, { slug: "bytes-gpt2" }],
    rules: [{ slug: "first" }, { slug: "pair-max" }],
    limits: { film: 20_000 },
  })
);
/** @type {OwnSettings} */
const BEFORE = {
  text: "as it was",
  lanes: [
    { variant: "char-eow", rule: "first", picks: {}, base: null },
    { variant: "char-eow", rule: "first", picks: {}, base: null },
  ],
  merges: 12,
  newText: "",
};
/** @type {OwnSettings} */
const OWN = {
  text: "low lower & #1 = 100% +\n<b>",
  lanes: [
    { variant: "bytes-gpt2", rule: "pair-max", picks: { 0: ["6c", "6f"], 3: 1 }, base: null },
    { variant: "char-eow", rule: "first", picks: { 7: ["e6a899", "ff"] }, base: null },
  ],
  merges: 40,
  newText: "lowest",
};
const LONG = "the cat sat on the mat 😀 標準 ".repeat(90);

const WAY = /** @type {import("../../film/browser/shared/feed_types.js").EveryWay} */ (
  /** @type {unknown} */ ({ lines: [{ merges: 5 }] })
);
/** The settings of a film of one lane. @type {OwnSettings} */
const FIRST = { ...BEFORE, text: "the cat", lanes: [{ ...BEFORE.lanes[0], picks: { 2: 1 } }] };
/** @type {Record<string, [settings: OwnSettings, merges: number, found: string]>} */
const PICTURED = {
  "the film's own training": [FIRST, 3, "own"],
  "the film's own text without its pick": [{ ...FIRST, lanes: [BEFORE.lanes[0]] }, 3, ""],
  "fewer merges of the film's own text": [FIRST, 2, ""],
  "a second lane": [{ ...FIRST, lanes: [...FIRST.lanes, BEFORE.lanes[0]] }, 3, ""],
  "a text that the page offers": [{ ...FIRST, text: "a rose", lanes: [BEFORE.lanes[0]] }, 5, "offered"],
  "the offered text under another rule": [
    { ...FIRST, text: "a rose", lanes: [{ ...BEFORE.lanes[0], rule: "pair-max" }] },
    5,
    "",
  ],
  "a few merges of the offered text": [{ ...FIRST, text: "a rose", lanes: [BEFORE.lanes[0]] }, 4, ""],
  "other words": [{ ...FIRST, text: "the hat" }, 3, ""],
};
for (const [name, [settings, merges, found]] of Object.entries(PICTURED)) {
  test(`of ${name} the page has ${found ? `its ${found}` : "no"} picture of every way`, () => {
    const recipe = { variant: "char-eow", tie_break: "first" };
    /** @type {any} */
    const film = {
      lanes: [{ feed: { last: 3 }, recipe }],
      way: "own",
      own: {
        text: FIRST.text,
        ways: [{ text: "a rose", variant: "char-eow", rule: "first", way: { ...WAY, name: "offered" } }],
      },
    };
    const feeds = /** @type {any} */ (settings.lanes.map(() => ({ last: merges })));
    const way = /** @type {any} */ (wayOf(film, FIRST, { settings, feeds }));
    equal(way?.name ?? way ?? "", found);
    const unrepeatable = {
      ...film,
      lanes: [{ feed: { last: 3 }, recipe: null }],
      own: { ...film.own, ways: [] },
    };
    equal(wayOf(unrepeatable, FIRST, { settings, feeds }), null);
  });
}

test("an address leads back to the settings that it was made from", async () => {
  const all = [OWN.text, "", "~ ~", LONG].map((text) => ({ ...OWN, text }));
  const hashes = await Promise.all(all.map(ownHash));
  const read = await Promise.all(hashes.map((hash) => readOwnHash(`#${hash}&step=3`, LIVE, BEFORE)));
  deepEqual(
    read,
    all.map((settings) => ({ settings, damage: "" })),
  );
});

test("a short text is readable in its address, and a longer one is shorter there than it is", async () => {
  ok(
    (await ownHash({ ...BEFORE, text: "low lower" })).startsWith("text=low+lower&rule=first~first&variant="),
  );
  const hash = await ownHash({ ...OWN, text: LONG });
  ok(hash.startsWith("packed="));
  ok(hash.length < LONG.length / 4);
});

test("an address without a text asks for nothing", async () => {
  const hashes = ["", "#", "#step=12", "#films", "#rule=first&merges=3"];
  const read = await Promise.all(hashes.map((hash) => readOwnHash(hash, LIVE, BEFORE)));
  deepEqual(new Set(read), new Set([null]));
});

const IGNORED = {
  "a rule that the page does not have": "rule=<script>&variant=",
  "a number that is none": "merges=1e9",
  "more picks than lanes": "picks=9.0.6c.6f~0.0.zz.6f~0.x.1~__proto__.1.1",
  "names that are no settings": "lanes=7&base=1&__proto__=1&constructor=2",
};
for (const [name, hash] of Object.entries(IGNORED)) {
  test(`${name} is left out`, async () => {
    const settings = { ...BEFORE, text: "low" };
    deepEqual(await readOwnHash(`#text=low&${hash}&step=1`, LIVE, BEFORE), { settings, damage: "" });
  });
}

test("a number beyond the limits is the limit, and one rule is for all lanes", async () => {
  const read = await readOwnHash("#text=low&merges=999999&rule=pair-max", LIVE, BEFORE);
  equal(read?.settings.merges, 5000);
  deepEqual(
    read?.settings.lanes.map(({ rule }) => rule),
    ["pair-max", "pair-max"],
  );
});

test("an address with two rules gives a lone lane a second one, and no third", async () => {
  const alone = { ...BEFORE, lanes: BEFORE.lanes.slice(0, 1) };
  const hashes = [
    "text=a&rule=first~pair-max",
    "text=a&rule=first~pair-max~first~first",
    "text=a&rule=pair-max",
  ];
  const read = await Promise.all(hashes.map((hash) => readOwnHash(`#${hash}`, LIVE, alone)));
  deepEqual(
    read.map((asked) => asked?.settings.lanes.map(({ rule }) => rule)),
    [["first", "pair-max"], ["first", "pair-max"], ["pair-max"]],
  );
  deepEqual((await readOwnHash(`#${await ownHash(OWN)}`, LIVE, alone))?.settings, OWN);
});

test("an address that was cut says so, wherever, and keeps what can be kept", async () => {
  const settings = { ...OWN, newText: "" };
  const hash = `#${await ownHash(settings)}`;
  const cuts = await Promise.all(
    Array.from({ length: hash.length - 7 }, (_, cut) => readOwnHash(hash.slice(0, cut + 7), LIVE, BEFORE)),
  );
  deepEqual(new Set(cuts.map((asked) => asked?.damage)), new Set(["cut"]));
  const last = cuts.at(-1);
  deepEqual(last?.settings.text, OWN.text);
  deepEqual(last?.settings.merges, OWN.merges);
});

test("of a long text that was cut, the beginning stays; of one that cannot be read, the settings", async () => {
  const numbers = Array.from({ length: 900 }, (_, number) => `${number * 7919}`).join(" ");
  const hash = `#${await ownHash({ ...OWN, text: numbers })}`;
  const part = await readOwnHash(hash.slice(0, 900), LIVE, BEFORE);
  equal(part?.damage, "part");
  ok(part && part.settings.text.length > 100 && numbers.startsWith(part.settings.text));
  const lost = await readOwnHash("#packed=%%%&rule=pair-max&merges=3&step=1", LIVE, BEFORE);
  equal(lost?.damage, "lost");
  equal(lost?.settings.text, BEFORE.text);
  equal(lost?.settings.merges, 3);
});

const LIVE_SETTINGS = /** @type {Live} */ (
  /** @type {unknown} */ ({
    rules: [
      { slug: "first", menu: true },
      { slug: "by-hand", menu: false },
      { slug: "last", menu: true },
    ],
  })
);
const BASE = { variant: "char-eow", tie_break: "first", vocab_size: 30, min_count: 2 };

test("a lane with the film's variant and rule has the film's other settings, and the merges of the field", () => {
  const lane = { variant: "char-eow", rule: "first", picks: {}, base: BASE };
  deepEqual(recipeOf(lane, 7), { ...BASE, vocab_size: null, merges: 7, picks: {} });
});

test("another rule or variant is trained with nothing but what the panel shows", () => {
  const lane = { variant: "bytes", rule: "last", picks: { 1: 0 }, base: BASE };
  deepEqual(recipeOf(lane, 7), { variant: "bytes", tie_break: "last", merges: 7, picks: { 1: 0 } });
});

test("undoing a pick ends the later ones too", () => {
  const lane = { variant: "bytes", rule: "first", picks: { 0: 1, 4: 2, 11: 1 }, base: null };
  deepEqual(withoutPicks(lane, 4).picks, { 0: 1 });
});

test("a second lane has another rule of the menu and nothing else of its own, and leaves again", () => {
  const lane = { variant: "bytes", rule: "first", picks: { 0: 1 }, base: BASE };
  const alone = { text: "low", lanes: [lane], merges: 3, newText: "" };
  const both = withOtherLanes(alone, LIVE_SETTINGS);
  deepEqual(both, { ...alone, lanes: [lane, { variant: "bytes", rule: "last", picks: {}, base: null }] });
  deepEqual(namesOf(both.lanes), ["Lane 1", "Lane 2"]);
  deepEqual(withOtherLanes(both, LIVE_SETTINGS), alone);
  deepEqual(namesOf(alone.lanes), [""]);
});
