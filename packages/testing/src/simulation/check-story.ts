import {
  aString,
  anArrayOf,
  anInteger,
  anObject,
  anything,
  checkOption,
  checkOptions,
  oneOf,
  type OptionCheck,
  type OptionsOf,
  type OptionTable,
} from "@listwatch/core-fifo/base";
import type { Scenario } from "./scenario.ts";
import {
  noFaults,
  type Story,
  type StoryAction,
  type StoryFault,
  type StoryFocus,
  type StoryOptions,
  type StoryUpset,
} from "./story.ts";
import { aDuration, mergeOptions, storyOptionsTable, timesOf } from "./story-options.ts";

/**
 * Checks that a value is a story, and that the scenario has the actions, processes and objects that
 * it names.
 *
 * @param options options of its run, which take precedence over those of the story
 * @returns the same value, as a story
 * @throws {InvalidOptionsError} otherwise, with the member, the expected value and the found one
 */
export function checkStory(story: unknown, scenario: Scenario, options: StoryOptions): Story {
  checkLists(story);
  const { chaosMs } = timesOf(mergeOptions(options, story.options));
  const actions = Object.keys(scenario.actions ?? {});
  const actionTable: OptionsOf<StoryAction> = {
    id: anInteger(0),
    name: actions.length === 0 ? () => "no action: the scenario has none" : oneOf(...actions),
    // Users may act after the last fault, too.
    atMs: aDuration,
  };
  const upsetTable: OptionsOf<StoryUpset> = {
    id: anInteger(0),
    kind: oneOf(...Object.keys(noFaults.upsets)),
    atMs: aTimeUntil(chaosMs),
    replica: anIndexBelow(scenario.replicas ?? 1),
  };
  checkEach(story, "actions", () => actionTable);
  checkEach(story, "upsets", () => upsetTable);
  checkEach(story, "faults", faultTableFor);
  const place = anIndexBelow(scenario.objects?.length ?? 0);
  for (const [index, value] of (story.objects ?? []).entries()) {
    checkOption(`story.objects[${index}]`, value, place);
  }
  return story;
}

const storyTable: OptionsOf<Story> = {
  seed: anInteger(0),
  order: oneOf("plain", "random"),
  actions: anArrayOf(anObject, "an array of actions"),
  upsets: anArrayOf(anObject, "an array of upsets"),
  faults: anArrayOf(anObject, "an array of faults"),
  focus: {
    kind: aString,
    fault: oneOf(
      ...Object.keys({ ...noFaults.requests, ...noFaults.watches, ...noFaults.webhooks }),
    ),
    skip: anInteger(0),
  } satisfies OptionsOf<StoryFocus>,
  objects: anArrayOf(anything, "an array of indexes"),
  options: storyOptionsTable,
};

function checkLists(story: unknown): asserts story is Story {
  const required = ["seed", "order", "actions", "upsets"].map((name) => `story.${name}`);
  checkOptions(story, storyTable, required, "story.");
}

/** Checks the members of a list, which have all names of a table. */
function checkEach(
  story: Story,
  list: "actions" | "faults" | "upsets",
  tableFor: (member: object) => OptionTable,
): void {
  for (const [index, member] of (story[list] ?? []).entries()) {
    const group = `story.${list}[${index}].`;
    const table = tableFor(member);
    const required = Object.keys(table).map((name) => group + name);
    checkOptions(member, table, required, group);
  }
}

/** Requests, watches and calls of webhooks have different faults. */
function faultTableFor(fault: object): OptionsOf<StoryFault> {
  const request: unknown = Reflect.get(fault, "request");
  const text = typeof request === "string" ? request : "";
  const { requests, watches, webhooks } = noFaults;
  const others = / watch #\d+$/.test(text) ? watches : requests;
  const faults = text.startsWith("server webhook ") ? webhooks : others;
  return {
    request: /^\S+ .+ #\d+$/.test(text)
      ? () => undefined
      : () => "a request such as replica-0 GET v1 a/pods #0",
    fault: oneOf(...Object.keys(faults)),
  };
}

function aTimeUntil(chaosMs: number): OptionCheck {
  return (value) =>
    typeof value === "number" && value >= 0 && value <= chaosMs
      ? undefined
      : `milliseconds from 0 to ${chaosMs}, the option chaosMs`;
}

function anIndexBelow(length: number): OptionCheck {
  return (value) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) < length
      ? undefined
      : `an index below ${length}`;
}
