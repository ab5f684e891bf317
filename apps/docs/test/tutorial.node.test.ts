import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "apps/docs/src/content/docs/tutorial");
const pages = [
  "definition",
  "watch",
  "reconcile",
  "owned-objects",
  "status",
  "finalizer",
  "retries",
  "test",
  "simulation",
  "deploy",
].map((name, index) => ({
  name,
  number: String(index + 1).padStart(2, "0"),
  text: readFileSync(join(folder, `${name}.mdx`), "utf8"),
}));
const wordsPerMinute = 200;

function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** Returns the text of the programs, outputs and files that a page shows. */
function shownBy(page: string): readonly string[] {
  const examples = [...page.matchAll(/<LiveExample name="([^"]+)"/g)].flatMap(([, name]) => [
    `examples/${name}.ts`,
    `examples/${name}.out`,
  ]);
  const files = [...page.matchAll(/from "(?:\.\.\/)+(examples\/[^"?]+)\?raw"/g)];
  return [...examples, ...files.map(([, file = ""]) => file)].map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
}

test("the tutorial takes less than an hour to read, with all programs and outputs", () => {
  const words = pages.map(({ text }) => {
    return [text, ...shownBy(text)].reduce((sum, shown) => sum + wordsOf(shown), 0);
  });
  const minutes = words.reduce((sum, count) => sum + count) / wordsPerMinute;
  expect(minutes).toBeGreaterThan(20);
  expect(minutes).toBeLessThan(60);
});

test.for(pages)("page $number ends with what can go wrong, and a program that shows it", (page) => {
  const headings = [...page.text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.filter((heading) => heading !== "From here").at(-1)).toBe(
    "What can go wrong here",
  );
  const [, ending = ""] = page.text.split("## What can go wrong here");
  const name = `tutorial/${page.number}-goes-wrong`;
  expect(ending).toContain(`<LiveExample name="${name}" />`);
  expect(existsSync(join(root, `examples/${name}.out`))).toBe(true);
});
