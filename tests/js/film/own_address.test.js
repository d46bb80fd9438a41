import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { ownHash, readOwnHash } from "../../../film/browser/film/own/own_address.js";

/** @import {Live} from "../../../film/browser/trainer/live_types.js" */
/** @import {OwnSettings} from "../../../film/browser/film/own/own_settings.js" */

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

test("an address leads back to the settings that it was made from", async () => {
  const all = [OWN.text, "", "~ ~", LONG].map((text) => ({ ...OWN, text }));
  const hashes = await Promise.all(all.map(ownHash));
  const read = await Promise.all(hashes.map((hash) => readOwnHash(`#${hash}&step=3`, LIVE, BEFORE)));
  deepEqual(read, all);
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
  const hashes = ["", "#", "#step=12", "#films", "#rule=first&merges=3", "#packed=no", "#packed=%%%"];
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
    deepEqual(await readOwnHash(`#text=low&${hash}`, LIVE, BEFORE), { ...BEFORE, text: "low" });
  });
}

test("a number beyond the limits is the limit, and one rule is for all lanes", async () => {
  const read = await readOwnHash("#text=low&merges=999999&rule=pair-max", LIVE, BEFORE);
  equal(read?.merges, 5000);
  deepEqual(
    read?.lanes.map(({ rule }) => rule),
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
    read.map((asked) => asked?.lanes.map(({ rule }) => rule)),
    [["first", "pair-max"], ["first", "pair-max"], ["pair-max"]],
  );
  deepEqual(await readOwnHash(`#${await ownHash(OWN)}`, LIVE, alone), OWN);
});
