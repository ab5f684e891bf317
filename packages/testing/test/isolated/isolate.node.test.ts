import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { simulate } from "../../src/index.ts";

const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

test.runIf(isOnNode)("isolation finds a program that keeps state in a module", () => {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-stories-"));
  try {
    // A test runner has its own loader of modules.
    const program = join(import.meta.dirname, "run.ts");
    const args = ["--conditions=@listwatch/source", program, folder];
    const output = execFileSync(process.execPath, args, { encoding: "utf8" });
    // The first seeds have no life after the first write that the state does not hide.
    expect(output.split("\n").slice(0, 2)).toEqual([
      // Every life of the process, and each further run, finds the mark of the first.
      "false: 5",
      "true: never: two marks, again: true",
    ]);
    expect(readdirSync(folder)).toHaveLength(2);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("isolation needs the address of a module", async () => {
  const scenario = { name: "a function", start: () => Promise.resolve() };
  await expect(simulate(scenario, { isolate: true })).rejects.toThrow("the URL of a module");
});
