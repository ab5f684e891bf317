import {
  aFunction,
  anArrayOf,
  anInteger,
  anObject,
  aString,
  checkOptions,
  isRecord,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { ListwatchError } from "@listwatch/core-fifo";
import { anAccount } from "../rights/account.ts";
import type { Failure } from "../plan/shrink.ts";
import { Coverage } from "./coverage.ts";
import { SimulationError } from "./errors.ts";
import { runStory, type RunResult } from "./run.ts";
import { openProgram } from "./program.ts";
import type { LoadedScenario, Scenario } from "./scenario.ts";
import { type Player, shrinkStory } from "./shrink.ts";
import { type Story, type StoryOptions, storyOf } from "./story.ts";
import { mergeOptions, ratesOf, storyOptionsTable, timesOf, withOptions } from "./story-options.ts";
import { digestOf, formatTimeline } from "../plan/trace.ts";

/** Options of {@link simulate}. */
export interface SimulateOptions extends StoryOptions {
  /** Number of runs, each with another seed, up to 2³². @default 100 */
  readonly seeds?: number | undefined;
  /** Seed of the first run, from 0 to 2³²; the others follow. @default 1 */
  readonly firstSeed?: number | undefined;
  /**
   * Folder for the story of a failure, as a file for {@link replay}, and for a test to paste. Needs
   * Node, Deno or Bun.
   *
   * @default no files
   */
  readonly folder?: string | undefined;
}

/** The outcome of a simulation without a failure. */
export interface SimulationReport {
  /** Number of runs. */
  readonly runs: number;
  /**
   * How often each fault met each kind of request, such as `lost-answer POST v1 pods`, how often
   * answers overtook each other (`reordered GET v1 pods`), and the number of upsets such as
   * `kill`.
   */
  readonly coverage: Readonly<Record<string, number>>;
  /** The same for requests, with the write before, such as `reset GET v1 pods after a restart`. */
  readonly states: Readonly<Record<string, number>>;
  /** Faults and kinds of requests that could have met and did not. More seeds reach more. */
  readonly unmet: readonly string[];
  /** Sixteen hexadecimal digits; equal if every run went the same. */
  readonly digest: string;
}

const aProgram: OptionCheck = (value) =>
  typeof value === "function" || value instanceof URL
    ? undefined
    : "a function, or a URL of a module";

const someFunctions: OptionCheck = (value) =>
  isRecord(value) && Object.values(value).every((each) => typeof each === "function")
    ? undefined
    : "functions by name";

const scenarioTable: OptionsOf<Scenario> = {
  name: aString,
  account: anAccount,
  definitions: anArrayOf(anObject, "an array of objects"),
  objects: anArrayOf(anObject, "an array of objects"),
  start: aProgram,
  webhook: aFunction,
  replicas: anInteger(1),
  actions: someFunctions,
  never: someFunctions,
  eventually: someFunctions,
};

function checkScenario(scenario: Scenario): void {
  checkOptions(scenario, scenarioTable, ["name", "start"]);
}

/** Largest seed and number of seeds. */
const maxSeed = 2 ** 32;

function aCount(least: number, most: number): OptionCheck {
  const check = anInteger(least);
  return (value) =>
    check(value) === undefined && Number(value) <= most
      ? undefined
      : `an integer from ${least} to ${most}`;
}

const simulateTable: OptionsOf<SimulateOptions> = {
  ...storyOptionsTable,
  seeds: aCount(1, maxSeed),
  firstSeed: aCount(0, maxSeed),
  folder: aString,
};

/**
 * Runs a program many times, on simulated time, against a cluster that fails in every way it can.
 * Each run draws its faults, actions and delays from its seed. The first run that breaks a
 * condition is reduced to the shortest story that was found to break the same.
 *
 * Guaranteed: the same program, scenario, first seed and options give the same runs, and a story
 * gives the same run. Each of the first 50 runs depends on its seed alone; each second one after
 * them also tries a fault that the runs before it did not reach, and the error then says so. Not
 * guaranteed: that no other seed breaks a condition.
 *
 * @throws {SimulationError} if a run breaks a condition of the scenario, writes or crashes without
 *   end, or leaves something open; also for an error of the scenario's own functions
 * @throws {ListwatchError} with the code `LW_SIMULATION_IDLE` if no run sends a request
 * @throws {EscapeError} if the program calls what cannot be simulated
 * @throws {InvalidOptionsError} for an unknown or mistyped option, or member of the scenario
 */
export async function simulate(
  scenario: Scenario,
  options: SimulateOptions = {},
): Promise<SimulationReport> {
  checkOptions(options, simulateTable);
  checkScenario(scenario);
  const program = await openProgram(scenario, options.isolate ?? false);
  try {
    return await simulateAll({ ...scenario, start: program.start }, options);
  } catch (error) {
    const { folder } = options;
    if (folder !== undefined && error instanceof SimulationError) {
      const { writeStory } = await import("./story-file.ts");
      writeStory(folder, scenario.name, error);
    }
    throw error;
  } finally {
    program.close();
  }
}

async function simulateAll(
  scenario: LoadedScenario,
  options: SimulateOptions,
): Promise<SimulationReport> {
  const { firstSeed = 1, seeds = 100 } = options;
  const play = playerOf(scenario, options);
  const ratesNow = ratesOf(options);
  const { chaosMs } = timesOf(options);
  const coverage = new Coverage(ratesNow);
  let digest = "";
  let hasSent = false;
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const drawn = storyOf(scenario, ratesNow, seed, chaosMs);
    const focus = coverage.focusOf(seed);
    const story = focus === undefined ? drawn : { ...drawn, focus };
    const result = await play(story);
    if (result.violation !== undefined) {
      const found = await shrinkStory(scenario, { story, result }, play);
      throw errorOf(scenario, found, focus === undefined ? { seed } : { seed, firstSeed }, options);
    }
    hasSent ||= result.hasSent;
    digest = digestOf([digest, result.digest]);
    coverage.add(
      result,
      story.upsets.map(({ kind }) => kind),
    );
  }
  if (!hasSent) {
    throw new ListwatchError(
      "LW_SIMULATION_IDLE",
      `Cannot simulate ${scenario.name}: its program sent no request in ${seeds} runs`,
      { advice: "Pass life.connection on to its clients, and return the promise of its end" },
    );
  }
  const { faults, states, unmet } = coverage;
  return { runs: seeds, coverage: faults, states, unmet, digest };
}

/**
 * Runs a story again, such as that of a {@link SimulationError}. Resolves with its timeline if it
 * breaks nothing.
 *
 * @param story the story, or the path of its file
 * @param options take precedence over those of the story
 * @throws {SimulationError} if it breaks a condition of the scenario
 * @throws {InvalidOptionsError} for a value that is not a story, or not one of this scenario
 * @throws {TypeError} the same for a file, with its path
 */
export async function replay(
  scenario: Scenario,
  story: Story | string,
  options: StoryOptions = {},
): Promise<string> {
  checkOptions(options, storyOptionsTable);
  checkScenario(scenario);
  const given = await storyFrom(story, scenario, options);
  const all = mergeOptions(options, given.options);
  const { close, start } = await openProgram(scenario, all.isolate ?? false);
  try {
    const loaded = { ...scenario, start };
    const result = await playerOf(loaded, all)(given);
    if (result.violation !== undefined) {
      throw errorOf(loaded, { story: given, result }, { seed: given.seed }, all);
    }
    return formatTimeline(result.entries);
  } finally {
    close();
  }
}

/** Returns a story, or that of a file, once it is checked. What that needs loads late. */
async function storyFrom(
  story: Story | string,
  scenario: Scenario,
  options: StoryOptions,
): Promise<Story> {
  if (typeof story === "string") {
    const { readStory } = await import("./story-file.ts");
    return readStory(story, scenario, options);
  }
  const { checkStory } = await import("./check-story.ts");
  return checkStory(story, scenario, options);
}

function playerOf(scenario: LoadedScenario, options: StoryOptions): Player {
  return (story) => runStory(scenario, story, ratesOf(options), timesOf(options));
}

function errorOf(
  scenario: LoadedScenario,
  { result, story }: Failure<Story, RunResult>,
  seeds: { readonly seed: number; readonly firstSeed?: number },
  options: StoryOptions,
): SimulationError {
  const { cause, found = "", invariant = "" } = result.violation ?? {};
  return new SimulationError({
    scenario: scenario.name,
    ...seeds,
    invariant,
    found,
    story: withOptions(story, options),
    timeline: formatTimeline(result.entries),
    cause,
  });
}
