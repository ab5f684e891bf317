// @vitest-environment node
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("the hooks are the 40 lines of code that the page names", () => {
  const lines = ["hooks.ts", "objects-of.ts"]
    .flatMap((file) => readFileSync(join(import.meta.dirname, file), "utf8").split("\n"))
    .map((line) => line.trim());
  const code = lines.filter((line) => line !== "" && !/^(?:\/\/|\/?\*)/.test(line));
  expect(code.length).toBe(40);
});
