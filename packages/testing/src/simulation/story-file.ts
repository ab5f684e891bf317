import {
  anObject,
  checkOptions,
  describeError,
  recordOf,
  type OptionTable,
} from "@listwatch/core-fifo/base";
import { checkStory } from "./check-story.ts";
import type { SimulationError } from "./errors.ts";
import type { Scenario } from "./scenario.ts";
import type { Story, StoryOptions } from "./story.ts";

/** Version of the format of these files. */
const format = 1;

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
  const content = { format, scenario, invariant, story };
  files.writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`);
  files.writeFileSync(`${folder}/${name}.test.txt`, test);
  return path;
}

/**
 * Reads the story of a file.
 *
 * @param options options of its run, which take precedence over those of the story
 * @throws {TypeError} with the path, if the file does not have a story of this scenario
 */
export function readStory(path: string, scenario: Scenario, options: StoryOptions): Story {
  const text = filesOf().readFileSync(path, "utf8");
  try {
    const file: unknown = JSON.parse(text);
    checkOptions(file, tableFor(scenario), requiredMembers, "file.");
    const { story } = recordOf(file);
    return checkStory(story, scenario, options);
  } catch (error) {
    throw new TypeError(`Cannot read the story of ${path}: ${describeError(error)}`, {
      cause: error,
    });
  }
}

const requiredMembers = ["file.format", "file.scenario", "file.invariant", "file.story"];

/** Members of a file. Its scenario must still have the condition that the story breaks. */
function tableFor({ eventually = {}, name, never = {} }: Scenario): OptionTable {
  const conditions = [
    ...Object.keys(never).map((each) => `never: ${each}`),
    ...Object.keys(eventually).map((each) => `eventually: ${each}`),
  ];
  return {
    format: (value) => (value === format ? undefined : `${format}, the version of the format`),
    scenario: (value) =>
      value === name ? undefined : `${JSON.stringify(name)}, the name of this scenario`,
    invariant: (value) => {
      if (typeof value !== "string") return "a string";
      const isOwn = /^(?:never|eventually): /.test(value);
      return !isOwn || conditions.includes(value) ? undefined : `one of ${conditions.join(", ")}`;
    },
    story: anObject,
  };
}

function filesOf(): Files {
  const load: unknown = recordOf(Reflect.get(globalThis, "process"))["getBuiltinModule"];
  const files: unknown = typeof load === "function" ? load("node:fs") : undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  if (files !== undefined) return files as Files;
  throw new TypeError("Cannot use files of stories on this runtime: expected Node, Deno or Bun");
}
