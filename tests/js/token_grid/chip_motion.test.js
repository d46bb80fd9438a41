import assert from "node:assert/strict";
import { test } from "node:test";
import { coloursOfId } from "../../../film/browser/shared/colour.js";
import {
  PHASES,
  blendFrames,
  fadeFrames,
  flashFrames,
  leanFrames,
  leansOf,
} from "../../../film/browser/token_grid/chip_motion.js";

test("a merge ends within its time, and the meeting begins when the leaning ends", () => {
  const frames = leanFrames(3.5);
  const offsets = frames.map(({ offset }) => Number(offset ?? -1)).filter((offset) => offset >= 0);
  assert.deepEqual(
    offsets,
    offsets.toSorted((a, b) => a - b),
  );
  assert.equal(offsets[0], PHASES.lean);
  assert.equal(offsets[1], PHASES.lean + PHASES.meet);
  assert.ok(PHASES.lean + PHASES.meet + PHASES.flash <= 1);
  assert.equal(frames[0].transform, "none");
  assert.equal(frames[frames.length - 1].transform, "none");
});

test("the outer parts lean apart in full, a middle one less, a single one not at all", () => {
  assert.deepEqual(leansOf(2, 3.5), [-3.5, 3.5]);
  assert.deepEqual(leansOf(3, 3), [-3, 0, 3]);
  assert.deepEqual(leansOf(1, 3), [0]);
});

test("the new colour spreads from the seam to the whole chip", () => {
  const [begin, , end] = flashFrames(0.25);
  assert.equal(begin.clipPath, "inset(0 75.00% 0 25.00%)");
  assert.equal(end.clipPath, "inset(0)");
});

test("a blend begins and ends with the colours of the two chips", () => {
  const [one, other] = [coloursOfId("dark", 3), coloursOfId("dark", 9)];
  const frames = blendFrames(one, other);
  assert.deepEqual(frames[0], { backgroundColor: one.fill, borderColor: one.edge });
  assert.deepEqual(frames[frames.length - 1], { backgroundColor: other.fill, borderColor: other.edge });
});

test("what changes lines is never seen between them", () => {
  const frames = fadeFrames("1px 2px", "3px 4px");
  const [, removed, comes] = frames;
  assert.deepEqual([removed.opacity, comes.opacity], [0, 0]);
  assert.equal(removed.offset, comes.offset);
  assert.deepEqual(
    frames.map(({ translate }) => translate),
    ["1px 2px", "1px 2px", "3px 4px", "3px 4px"],
  );
});
