import assert from "node:assert/strict";
import { test } from "node:test";
import { tokenChanges } from "../../film/browser/player/pair_counts.js";
import { markerMeaning } from "../../film/browser/player/spelling.js";
import { tokenFacts } from "../../film/browser/token_grid/pointing.js";
import { decodeFeed, isFinished } from "../../film/browser/player/feed.js";
import {
  replayAnswer,
  frameText,
  startSentence,
  stepSentence,
  changeText,
  choiceText,
  countText,
  endText,
  guessText,
  nextText,
  ordinal,
  pairText,
  shortChoiceText,
  tieCount,
  kindSentence,
  shortKindSentence,
  sizeText,
  stageTieText,
  stepName,
  whyChosen,
} from "../../film/browser/token_grid/wording.js";
import { tokensAt } from "../../film/browser/player/segmentation.js";
import { stageMark } from "../../film/browser/token_grid/transport.js";
import { fixtures, readingCells } from "./fixtures.js";

// low ×5, lower ×2, newest ×6, widest ×3, trained as the paper does: es, est, est_, lo, low, …
const training = decodeFeed(modelOf("counted words, paper"));
const encoding = decodeFeed(modelOf("rank, paper"));

/** @param {string} wanted */
function modelOf(wanted) {
  const actual = [...fixtures.trainings, ...fixtures.encodings].find(({ name }) => name === wanted);
  assert.ok(actual, wanted);
  return actual.feed;
}

test("the headline says what a merge of a training does", () => {
  assert.equal(countText(training, 0), "9 times");
  assert.equal(ordinal(training, 0), `Merge 1 of ${training.last}`);
  const { left, right } = training.steps;
  assert.equal(pairText(training, [left[0], right[0]]), "e + s");
  assert.equal(changeText(training, { rank: 0, forwards: true }), "Merge 1: 9 fewer tokens");
  assert.equal(changeText(training, { rank: 0, forwards: false }), "Merge 1 undone: 9 tokens back");
  assert.equal(endText(training), `All ${training.last} merges done`);
});

test("where the pairs cannot be counted, the feed tells which term decided", () => {
  const rule = [
    [
      "left",
      "{left} comes last in dictionary order",
      " among the {n}, which begin with {left}",
      " among the {n} that begin with {left}",
    ],
    ["right", "its right token, {right}, comes last in dictionary order", "", ""],
  ];
  const part = {
    ...training,
    whole: false,
    ties: { starts: new Uint32Array(1), ids: new Uint32Array(0) },
    reasons: rule,
  };
  const later = { until: 2, decided: new Map([[0, { term: 1, compared: 2 }]]) };
  assert.equal(
    whyChosen({ ...part, later }, 0),
    "its right token, s, comes last in dictionary order among the 2 that begin with e",
  );
  assert.equal(whyChosen({ ...part, later }, 1), "es comes last in dictionary order");
  assert.equal(whyChosen({ ...part, later: { ...later, until: 0 } }, 0), "");
  assert.equal(whyChosen({ ...part, later: null }, 0), "");
});

test("who can pick is told to have picked", () => {
  assert.equal(choiceText({ ...training, picked: [0], picks: true }, 0), "You picked e + s.");
  const picked = { ...training, picked: [0], picks: true };
  assert.equal(stageTieText(picked, 0, false), "3 pairs tied at 9: you picked it.");
});

test("a lane names the pair before the rule, since it may cut the end of the line", () => {
  const why = "it comes first in the text, at newest";
  assert.equal(choiceText(training, 0), `“${training.rule}” picks e + s: ${why}.`);
  assert.equal(shortChoiceText(training, 0), `e + s wins by “${training.rule}”: ${why}.`);
  assert.equal(shortChoiceText({ ...training, picked: [0] }, 0), "Picked by hand: e + s.");
  assert.equal(shortChoiceText({ ...training, rule: "" }, 0), "");
});

test("who watches a film is not told to have set a limit or picked a pair", () => {
  const sentences = fixtures.trainings.flatMap(({ feed }) => {
    const model = { ...decodeFeed(feed), picked: [0] };
    return [endText(model), feed.ending, choiceText(model, 0), shortChoiceText(model, 0)];
  });
  assert.ok(sentences.includes("that was the limit"));
  assert.ok(sentences.includes("Picked by hand: e + s."));
  for (const sentence of sentences) assert.doesNotMatch(sentence, /\byou/i);
});

test("the headline says where a merge of a second stage comes from", () => {
  const superwords = decodeFeed(modelOf("superwords, sentences, bytes-gpt2, lines"));
  const after = superwords.stage?.after ?? 0;
  assert.equal(ordinal(superwords, after - 1), `Merge ${after} of ${superwords.last}`);
  assert.equal(ordinal(superwords, after), `Merge ${after + 1} of ${superwords.last} · superwords`);
  const continued = decodeFeed(modelOf("continued, {}"));
  const { steps = 0, ranks = [] } = continued.replay ?? {};
  assert.equal(
    ordinal(continued, 0),
    `Merge 1 of ${continued.last} · merge ${ranks[0] + 1} of the tokenizer`,
  );
  assert.equal(ordinal(continued, steps), `Merge ${steps + 1} of ${continued.last} · learned here`);
  assert.equal(replayAnswer(continued, steps), null);
  assert.ok(replayAnswer(continued, steps - 1));
  assert.match(tokenFacts(continued, continued.steps.ids[0], steps).join("; "), /of the tokenizer/);
  assert.doesNotMatch(
    tokenFacts(continued, continued.steps.ids[steps], steps).join("; "),
    /of the tokenizer/,
  );
});

test("the scrubber has a mark where the second stage begins, if all lanes begin it together", () => {
  const superwords = decodeFeed(modelOf("superwords, sentences, bytes-gpt2, lines"));
  const mark = stageMark([superwords]);
  assert.equal(mark?.label, "superwords");
  assert.equal(mark?.share, 0.5);
  assert.match(mark?.title ?? "", /^From merge 9 on, a token may span/);
  assert.equal(stageMark([training]), null);
  assert.equal(stageMark([superwords, training]), null);
  assert.ok(stageMark([superwords, decodeFeed(modelOf("superwords, sentences, char-eow, sentences"))]));
});

test("the headline says which rule a step of an encoding applies", () => {
  assert.match(ordinal(encoding, 0), /^Step 1 of \d+ · applies merge [1-9]\d*$/);
  assert.match(nextText(encoding, 0).join(""), /merge \d+(?: once| · (?!1 time)\d+ times)$/);
  assert.match(endText(encoding), /^Encoded in \d+ steps$/);
  assert.match(changeText(encoding, { rank: 0, forwards: true }), /^Step 1: \d+ fewer tokens?$/);
});

test("a hidden merge is asked for only where a lesson asks for it", () => {
  assert.match(guessText(training, 0, true), /^Merge 1 of \d+ · which pair comes next\?$/);
  assert.match(guessText(training, 0, false), /^Before merge 1 of \d+$/);
});

test("a merge that overlaps says what was counted and what was replaced", () => {
  const blanks = fixtures.trainings.map(({ feed }) => decodeFeed(feed));
  const actual = blanks.flatMap((model) => [...model.steps.count.keys()].map((step) => ({ model, step })));
  const overlap = actual.find(({ model, step }) => model.steps.count[step] !== model.steps.replaced[step]);
  assert.ok(overlap);
  const { count, replaced } = overlap.model.steps;
  const { step } = overlap;
  assert.equal(
    countText(overlap.model, step),
    `counted ${count[step]} times, but only ${replaced[step]} can be merged`,
  );
});

test("a replay that learns nothing more is finished, as an encoding is, and says how many tokens the text has", () => {
  const models = fixtures.trainings.map(({ feed }) => decodeFeed(feed));
  const replays = models.filter(({ replay }) => replay);
  assert.ok(replays.some(isFinished));
  assert.equal(isFinished(training), false);
  assert.equal(isFinished(encoding), true);
  const model = decodeFeed(modelOf("replay of runs, in order"));
  const cells = readingCells(model);
  const tokens = tokensAt(cells, model.last);
  const { total } = model.feed.text;
  const each = (total / tokens).toFixed(1);
  assert.equal(sizeText(model), `${tokens} tokens · ${total} characters · ${each} characters per token`);
});

test("a merge of a replay that is made at some places only says so", () => {
  const model = decodeFeed(modelOf("replay of runs, out of order"));
  const { count, replaced } = model.steps;
  const step = [...count.keys()].find((at) => count[at] > 2 * replaced[at]) ?? -1;
  assert.equal(
    countText(model, step),
    `counted ${count[step]} times, and the tokenizer merges ${replaced[step]} of them`,
  );
});

test("a step changes the counts of the token it makes and of those it merges", () => {
  const { left, right, ids } = training.steps;
  assert.deepEqual(tokenChanges(training, 0), [
    { id: ids[0], by: 9, before: 0, after: 9 },
    { id: left[0], by: -9, before: 17, after: 8 },
    { id: right[0], by: -9, before: 9, after: 0 },
  ]);
});

test("the facts of a token say its id, its bytes, its origin and its count", () => {
  const id = training.steps.ids[0];
  assert.deepEqual(tokenFacts(training, id, 1), [
    `id ${id}`,
    "2 bytes: 65 73",
    "created by merge 1",
    "occurs 9 times now",
  ]);
  const [{ id: letter }] = training.symbols;
  assert.match(
    tokenFacts(training, letter, 0).join(),
    /^id \d+,1 byte: [0-9A-F]{2},in the alphabet,occurs \d+ times? now$/,
  );
});

test("the facts of a marker begin with its name and what it marks", () => {
  const { id } = training.symbols.find(({ kind }) => kind === "marker") ?? { id: -1 };
  assert.equal(tokenFacts(training, id, 0)[0], "</w>, end of word");
  const started = { ...training, spelling: { ...training.spelling, markerText: "▁", markerByte: 0xfe } };
  assert.equal(markerMeaning(training.spelling), "end of word");
  assert.equal(markerMeaning(started.spelling), "start of word");
});

test("the count of ties says how many of them are real choices", () => {
  const tied = (/** @type {number[]} */ numbers, /** @type {number[]} */ choices) => ({
    ...training,
    last: numbers.length,
    steps: { ...training.steps, tied: Uint8Array.from(numbers) },
    rivals: new Map(choices.map((step) => [step, []])),
  });
  assert.equal(tieCount(training).join(" "), "9 of 15 merges tie; all are real choices");
  assert.equal(tieCount(tied([1, 1], [])).join(" "), "0 of 2 merges tie");
  assert.equal(tieCount(tied([2, 1], [])).join(" "), "1 of 2 merges ties; it is no real choice");
  assert.equal(tieCount(tied([2, 1], [0])).join(" "), "1 of 2 merges ties; it is a real choice");
  assert.equal(tieCount(tied([2, 3], [0, 1])).join(" "), "2 of 2 merges tie; both are real choices");
  assert.equal(tieCount(tied([2, 3], [1])).join(" "), "2 of 2 merges tie; 1 is a real choice");
  assert.equal(tieCount(tied([2, 3, 2], [])).join(" "), "3 of 3 merges tie; none is a real choice");
});

test("on a stage the tie is one line", () => {
  const why = "it comes first in the text, at newest";
  assert.equal(stageTieText(training, 0), `3 pairs tied at 9: ${why}. A real choice.`);
  const picked = { ...training, picked: [0], rivals: new Map() };
  assert.equal(stageTieText(picked, 0), "3 pairs tied at 9: picked by hand. This only decides the order.");
  const untold = { ...training, reasons: [] };
  assert.equal(stageTieText(untold, 0), "3 pairs tied at 9. A real choice.");
  assert.equal(stageTieText(training, 0, false), `3 pairs tied at 9: ${why}.`);
});

test("a tie that decided the order only says so, and never that it cannot matter", () => {
  const orderOnly = { ...training, rivals: new Map() };
  const sentence = "It takes nothing from the others, so this only decides the order.";
  assert.equal(kindSentence(orderOnly, 0), sentence);
  assert.equal(shortKindSentence(orderOnly, 0), "This only decides the order.");
  assert.equal(shortKindSentence(training, 0), kindSentence(training, 0));
  assert.equal(kindSentence(training, 2), "");
});

test("screen readers hear each merge and the frame", () => {
  assert.equal(
    stepSentence(training, 0),
    `Merge 1 of ${training.last}: e and s become es, 9 times; 3 pairs were tied. ` +
      "“First occurrence” picks e + s: it comes first in the text, at newest. " +
      "A real choice: s + t drops from 9 to 0.",
  );
  const frame = frameText(readingCells(training), 1);
  assert.match(
    frame,
    /^22 tokens after 1 of \d+ merges: l o w <\/w> \| l o w e r <\/w> \| n e w es t <\/w> \| w i d es t <\/w> $/,
  );
});

test("no step of any training or encoding is counted from 0", () => {
  const from0 = /\b(merge|step) 0\b/i;
  for (const { feed } of [...fixtures.trainings, ...fixtures.encodings]) {
    const model = decodeFeed(feed);
    for (let step = 0; step < model.last; step++) {
      const texts = [
        ordinal(model, step),
        changeText(model, { rank: step, forwards: true }),
        stepName(model, step),
        stepSentence(model, step),
        ...tokenFacts(model, model.steps.ids[step], step + 1),
      ];
      for (const text of texts) assert.doesNotMatch(text, from0);
    }
    assert.doesNotMatch(startSentence(model), from0);
  }
});

test("a replay says whether the counts would have chosen the pair, and where its merge is in the tokenizer", () => {
  const answers = ["hug", "sentences"].flatMap((text) => {
    const model = decodeFeed(modelOf(`replay of ${text}, backwards`));
    return Array.from({ length: model.last }, (_, step) => ({
      ...model,
      step,
      answer: replayAnswer(model, step),
      sentence: stepSentence(model, step),
    }));
  });
  answers.forEach(({ answer, sentence, step, steps: { tied, count } }) => {
    assert.doesNotMatch(sentence, /tie/);
    if (tied[step] > 1) return assert.equal(answer, null); // no tie is broken where nothing is learned
    assert.equal(answer?.yes, tied[step] === 1);
    assert.match(
      String(answer?.reason),
      answer?.yes
        ? /no pair is more frequent/
        : new RegExp(`occurs ${count[step]} time.*, .+ \\+ .+ \\d+ time`),
    );
  });
  const learning = decodeFeed(modelOf("continued, {}"));
  const reasons = Array.from({ length: learning.replay?.steps ?? 0 }, (_, step) => {
    return learning.steps.tied[step] > 1 ? String(replayAnswer(learning, step)?.reason) : "";
  });
  assert.ok(reasons.some(Boolean));
  for (const reason of reasons.filter(Boolean)) assert.match(reason, /one of \d+ pairs tied at \d+/);
  assert.ok(answers.some(({ answer }) => answer?.yes) && answers.some(({ answer }) => !answer?.yes));
  const replay = decodeFeed(modelOf("replay of hug, backwards"));
  const rank = replay.replay?.ranks[0] ?? -1;
  assert.ok(rank > 0);
  assert.equal(ordinal(replay, 0), `Merge 1 of ${replay.last} · merge ${rank + 1} of the tokenizer`);
  assert.ok(
    tokenFacts(replay, replay.steps.ids[0], 1).includes(
      `created by merge 1 (merge ${rank + 1} of the tokenizer)`,
    ),
  );
  assert.match(stepSentence(replay, 0), /^Merge 1 of \d+: .+ Training on this text (would|could) choose /);
  assert.equal(replayAnswer(training, 0), null);
});
