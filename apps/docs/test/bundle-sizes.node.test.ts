import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), "utf8");

const budgets = JSON.parse(read("scripts/size-budgets.json")) as Record<string, { bytes: number }>;
/** Names on the page that differ from those of the budgets. */
const names: Readonly<Record<string, string>> = {
  "an informer with its connection and their dependencies": "a SharedInformer with its HTTP source",
  "the handle of one resource, such as `pods`": "the handle of pods",
};

test("the page Performance states the limits that npm run size enforces", () => {
  const page = read("apps/docs/src/content/docs/operate/performance.mdx");
  const rows = [...page.matchAll(/^\| (.+?) +\| ([\d.]+) kB +\|$/gm)];
  expect(rows).toHaveLength(10);
  for (const [, name = "", limit] of rows) {
    const budget = budgets[names[name] ?? name.replaceAll("`", "").replace("@listwatch/", "")];
    expect({ name, bytes: Math.round(Number(limit) * 1000) }).toEqual({
      name,
      bytes: budget?.bytes,
    });
  }
});
