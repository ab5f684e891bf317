import { recordOf } from "@listwatch/core-fifo/base";
import type { SimulationError } from "./errors.ts";
import type { Story } from "./story.ts";

/** Functions of `node:fs`, which Deno and Bun have as well. */
interface Files {
  mkdirSync(path: string, options: object): void;
  readFileSync(path: string, encoding: "utf8"): string;
  writeFileSync(path: string, text: string): void;
}

/**
 * Writes the story of a failure, and the test that repeats it.
 *
 * @returns the path of the story
 */
export function writeStory(folder: string, scenario: string, error: SimulationError): string {
  const files = filesOf();
  const { invariant, story, test } = error;
  const name = `${scenario} ${invariant} ${story.seed}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  files.mkdirSync(folder, { recursive: true });
  const path = `${folder}/${name}.json`;
  files.writeFileSync(path, `${JSON.stringify({ scenario, invariant, story }, undefined, 2)}\n`);
  files.writeFileSync(`${folder}/${name}.test.txt`, test);
  return path;
}

/** Reads the story of a file. @throws {TypeError} if it has none */
export function readStory(path: string): Story {
  const { story } = recordOf(JSON.parse(filesOf().readFileSync(path, "utf8")));
  const { actions, seed, upsets } = recordOf(story);
  if (typeof seed !== "number" || !Array.isArray(actions) || !Array.isArray(upsets)) {
    throw new TypeError(`Cannot read ${path}: expected the file of a story`);
  }
  // Stories are written by simulations; the checks above find other files.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return story as Story;
}

function filesOf(): Files {
  const load: unknown = recordOf(Reflect.get(globalThis, "process"))["getBuiltinModule"];
  const files: unknown = typeof load === "function" ? load("node:fs") : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (files !== undefined) return files as Files;
  throw new TypeError("Cannot use files of stories on this runtime: expected Node, Deno or Bun");
}
