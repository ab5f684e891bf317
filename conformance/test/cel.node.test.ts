import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readVectors, replayVectors } from "../cel/replay.ts";

const folder = new URL("../cel/", import.meta.url);
const file = process.env["CEL_VECTORS"];
const vectors = readVectors(
  file === undefined ? new URL("vectors.json", folder) : new URL(file, "file:"),
);

// Ids of vectors whose verdicts are wrong. The list may only become shorter.
const listedVerdicts: unknown = JSON.parse(
  readFileSync(new URL("wrong-verdicts.json", folder), "utf8"),
);
// Raising a figure is progress; lowering one needs a reason.
const leastRight = 0.98;
const leastSameTexts = 0.95;

test("rules are judged as by the server's validator, except as listed (CEL-10, CEL-12)", async () => {
  const all = await replayVectors(vectors);
  const outcomes = all.filter(({ group }) => group !== "compile");
  const wrong = outcomes.filter(({ verdict }) => verdict === "wrong").map(({ id }) => id);
  const right = outcomes.filter(({ verdict }) => verdict === "right");
  expect(right.length / outcomes.length).toBeGreaterThanOrEqual(leastRight);
  const texts = right.filter(({ hasSameTexts }) => hasSameTexts);
  expect(texts.length / right.length).toBeGreaterThanOrEqual(leastSameTexts);
  const listed = file === undefined ? listedVerdicts : [];
  expect(wrong, `${right.length} of ${outcomes.length} are right`).toEqual(listed);
});

test("rules that do not compile are refused as by the server (CEL-21, CEL-22)", async () => {
  // The recorded validator had a function of its test, which stored rules could call.
  const real = vectors.filter((one) => !JSON.stringify(one.schema).includes("fakeFunction"));
  const all = await replayVectors(real.filter(({ group }) => group === "compile"));
  expect(all.filter(({ verdict }) => verdict !== "right").map(({ id }) => id)).toEqual([]);
});
