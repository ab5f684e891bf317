import {
  aBoolean,
  aNumber,
  oneOf,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { RunTimes } from "./run.ts";
import {
  type FaultRates,
  noFaults,
  productionFaults,
  type Story,
  type StoryOptions,
} from "./story.ts";

/** Longest duration: a year. */
const maxMs = 31_536_000_000;

export const aDuration: OptionCheck = (value) =>
  aNumber(0)(value) === undefined && Number(value) <= maxMs
    ? undefined
    : `a number from 0 to ${maxMs}`;

export const storyOptionsTable: OptionsOf<StoryOptions> = {
  faults: oneOf("none", "production"),
  chaosMs: aDuration,
  convergeMs: aDuration,
  quietMs: aDuration,
  isolate: aBoolean,
};

const namedFaults = { none: noFaults, production: productionFaults } as const;

export function ratesOf({ faults = "production" }: StoryOptions): FaultRates {
  return namedFaults[faults];
}

export function timesOf({
  chaosMs = 120_000,
  convergeMs = 600_000,
  quietMs = 300_000,
}: StoryOptions): RunTimes {
  return { chaosMs, convergeMs, quietMs };
}

/** Returns options of which the first ones take precedence. */
export function mergeOptions(first: StoryOptions, then: StoryOptions = {}): StoryOptions {
  return {
    faults: first.faults ?? then.faults,
    chaosMs: first.chaosMs ?? then.chaosMs,
    convergeMs: first.convergeMs ?? then.convergeMs,
    quietMs: first.quietMs ?? then.quietMs,
    isolate: first.isolate ?? then.isolate,
  };
}

/** Adds the options to a story that its run depends on, so that it can be run without them. */
export function withOptions(story: Story, options: StoryOptions): Story {
  const { chaosMs, convergeMs, faults, isolate, quietMs } = options;
  const drawn = story.faults === undefined ? faults : undefined;
  const given = Object.entries({ faults: drawn, chaosMs, convergeMs, quietMs, isolate });
  const needed = given.filter(([, value]) => value !== undefined);
  const { options: _options, ...rest } = story;
  return needed.length === 0 ? rest : { ...rest, options: Object.fromEntries(needed) };
}
