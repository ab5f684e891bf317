import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { importsOf } from "../checks/imports.ts";

test("the plan of simulations knows no client and no manager, so that tests of all layers can use it", () => {
  const sources = globSync("packages/testing/src/plan/*.ts");
  expect(sources).toContain("packages/testing/src/plan/shrink.ts");
  const names = sources.flatMap((path) =>
    importsOf(readFileSync(path, "utf8")).map(({ name }) => name),
  );
  const others = names.filter((name) => !name.startsWith("./"));
  expect([...new Set(others)].toSorted()).toEqual([
    "@listwatch/core-fifo/base",
    "@listwatch/core-fifo/testing",
  ]);
});
