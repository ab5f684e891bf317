import { readFileSync } from "node:fs";

// A row of the table of cases: | `case-name` | reason |
const row = /^\|\s*`([a-z0-9-]+)`\s*\|\s*(\S.*?)\s*\|$/gm;

/** The recorded cases that the fake is known not to pass, with the reason of each. */
export function readDifferences(file: URL): ReadonlyMap<string, string> {
  const differences = new Map<string, string>();
  for (const [, name, reason] of readFileSync(file, "utf8").matchAll(row)) {
    if (name !== undefined && reason !== undefined) differences.set(name, reason);
  }
  return differences;
}
