import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { version } from "../../src/transport/version.ts";

test("the version in the user agent is the package's", () => {
  const file = join(import.meta.dirname, "../../package.json");
  const manifest = JSON.parse(readFileSync(file, "utf8")) as { version: string };
  expect(version).toBe(manifest.version);
});
