import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { replay, simulate, type Scenario } from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

const folder = mkdtempSync(join(tmpdir(), "listwatch-stories-"));
afterAll(() => rmSync(folder, { recursive: true }));

const late: Scenario = {
  name: "a program that waits",
  start: ({ signal }) => untilAborted(signal),
  eventually: { "it is late": ({ nowMs }) => nowMs > 150_000 },
};
const story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] };
const content = { format: 1, scenario: late.name, invariant: "eventually: it is late", story };

test("the file of a failure breaks the same again", async () => {
  const { invariant } = content;
  const stories = join(folder, "stories");
  const options = { seeds: 1, convergeMs: 10_000, folder: stories };
  await expect(simulate(late, options)).rejects.toMatchObject({ invariant });
  const name = readdirSync(stories).find((each) => each.endsWith(".json")) ?? "";
  const path = join(stories, name);
  expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ format: 1, scenario: late.name });
  await expect(replay(late, path)).rejects.toMatchObject({ invariant });
  expect(await replay(late, path, { convergeMs: 60_000 })).toContain("no more faults");
});

test.each<readonly [string, string]>([
  ["", "JSON"],
  ['{"format":1,', "JSON"],
  ["null", "expected an object"],
  [JSON.stringify(story), "seed: expected one of format, scenario, invariant, story"],
  [JSON.stringify({ ...content, format: 2 }), "format: expected 1, the version of the format"],
  [JSON.stringify({ ...content, scenario: "x" }), 'expected "a program that waits", the name of'],
  [JSON.stringify({ ...content, invariant: "never: x" }), "one of eventually: it is late, got"],
  [JSON.stringify({ ...content, story: undefined }), "story: expected an object, got undefined"],
  [JSON.stringify({ ...content, story: {} }), "story.seed: expected an integer"],
])("a file without a story of the scenario is refused with its path: %s", async (text, message) => {
  const path = join(folder, "a.json");
  writeFileSync(path, text);
  await expect(replay(late, path)).rejects.toThrow(`Cannot read the story of ${path}: `);
  await expect(replay(late, path)).rejects.toThrow(message);
});
