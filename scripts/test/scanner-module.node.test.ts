import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scannerModule } from "../checks/scanner-module.ts";

test("the module is what its text says, and smaller than 1 KB (LAZY-7)", async () => {
  const folder = "packages/client/src/structure";
  const text = await scannerModule(readFileSync(`${folder}/scan.wat`, "utf8"));
  expect(readFileSync(`${folder}/scan-module.ts`, "utf8")).toBe(text);
  const bytes = Number(/\/\*\* The (\d+) bytes/.exec(text)?.[1]);
  expect(bytes).toBeLessThan(1024);
});
