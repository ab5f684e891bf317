import { draw, drawInteger, drawOne } from "./draw.ts";
import type { Scenario } from "./scenario.ts";

/** A fault of one request. */
export type RequestFault =
  /** The connection breaks before the server has the request. */
  | "reset"
  /** The server acts on the request, and its answer is lost. */
  | "lost-answer"
  /** The server answers 429 with `Retry-After: 1`. */
  | "429"
  /** The server answers 500. */
  | "500"
  /** The server answers 503. */
  | "503"
  /** No answer comes. */
  | "silence"
  /** The answer takes 5 to 30 s. */
  | "slow";

/** A fault of a watch, some time after it was opened. */
export type WatchFault =
  /** The connection breaks. */
  | "watch-reset"
  /** The server closes the watch. */
  | "watch-end"
  /** Nothing arrives any more; the connection stays open. */
  | "watch-silence"
  /** Events arrive 5 to 30 s late, in their order. */
  | "watch-slow"
  /** The server compacts its history and closes the watch, so that the next one gets a 410. */
  | "watch-expired";

/** Something that happens to a process of the program, or to the server. */
export type Upset =
  /** The process is killed, and starts again after some seconds. */
  | "kill"
  /** The process gets its signal, ends, and starts again. */
  | "restart"
  /** The process stands still for 5 to 60 s, and goes on. */
  | "pause"
  /** The server restarts: all watches end, and it refuses requests for 2 s. */
  | "server-restart"
  /** The server forgets its history: lists and watches of older versions get a 410. */
  | "compaction";

/** Probabilities of the faults of each request and watch, and numbers of upsets of a run. */
export interface FaultRates {
  /** Probability of each fault of a request, from 0 to 1. */
  readonly requests: Readonly<Record<RequestFault, number>>;
  /** Probability of each fault of a watch, from 0 to 1. */
  readonly watches: Readonly<Record<WatchFault, number>>;
  /** Largest number of each upset in a run. */
  readonly upsets: Readonly<Record<Upset, number>>;
}

/** No faults at all: only the order of what is concurrent differs between seeds. */
export const noFaults: FaultRates = {
  requests: {
    "429": 0,
    "500": 0,
    "503": 0,
    "lost-answer": 0,
    reset: 0,
    silence: 0,
    slow: 0,
  },
  watches: {
    "watch-end": 0,
    "watch-expired": 0,
    "watch-reset": 0,
    "watch-silence": 0,
    "watch-slow": 0,
  },
  upsets: { compaction: 0, kill: 0, pause: 0, restart: 0, "server-restart": 0 },
};

/** More of everything than a bad day in production, so that a few hundred runs show what is rare. */
export const productionFaults: FaultRates = {
  requests: {
    "429": 0.02,
    "500": 0.02,
    "503": 0.02,
    "lost-answer": 0.04,
    reset: 0.03,
    silence: 0.005,
    slow: 0.03,
  },
  watches: {
    "watch-end": 0.1,
    "watch-expired": 0.08,
    "watch-reset": 0.1,
    "watch-silence": 0.05,
    "watch-slow": 0.2,
  },
  upsets: { compaction: 1, kill: 2, pause: 1, restart: 1, "server-restart": 1 },
};

/** A user's action of a story. */
export interface StoryAction {
  /** Number of the action in the run that it comes from; its random numbers depend on it. */
  readonly id: number;
  /** Its name in the scenario. */
  readonly name: string;
  /** When it happens, in milliseconds from the start of the run. */
  readonly atMs: number;
}

/** An upset of a story. */
export interface StoryUpset {
  /** Number of the upset in the run that it comes from. */
  readonly id: number;
  /** Its kind. */
  readonly kind: Upset;
  /** When it happens, in milliseconds from the start of the run. */
  readonly atMs: number;
  /** Number of the process that it happens to, from 0; without meaning for the server's. */
  readonly replica: number;
}

/** A fault of one request or watch of a story. */
export interface StoryFault {
  /** The request: process, method, path, and how many of these came before. */
  readonly request: string;
  /** Kind of the fault. */
  readonly fault: RequestFault | WatchFault;
}

/** All that a run depends on, except for the program. It is plain data, which a file can hold. */
export interface Story {
  /** Source of all draws. */
  readonly seed: number;
  /** Whether requests, answers and events take random times, or 1 ms each. */
  readonly order: "plain" | "random";
  /** Actions of users. */
  readonly actions: readonly StoryAction[];
  /** Upsets of processes and the server. */
  readonly upsets: readonly StoryUpset[];
  /** Faults of requests; `undefined` draws them from the rates of the scenario. */
  readonly faults: readonly StoryFault[] | undefined;
}

/** Draws the story of a seed. */
export function storyOf(
  scenario: Scenario,
  rates: FaultRates,
  seed: number,
  chaosMs: number,
): Story {
  const names = Object.keys(scenario.actions ?? {});
  const count = names.length === 0 ? 0 : drawInteger(actionCounts, seed, "actions");
  const actions = Array.from({ length: count }, (_, id): StoryAction => {
    const name = drawOne(names, seed, "action", id) ?? "";
    return { id, name, atMs: timeOf(chaosMs, seed, "action", id) };
  });
  return {
    seed,
    order: "random",
    actions: actions.toSorted((left, right) => left.atMs - right.atMs),
    upsets: upsetsOf(rates, seed, chaosMs, scenario.replicas ?? 1),
    faults: undefined,
  };
}

const actionCounts = [3, 12] as const;

const upsetKinds: readonly Upset[] = ["compaction", "kill", "pause", "restart", "server-restart"];

function upsetsOf(
  { upsets }: FaultRates,
  seed: number,
  chaosMs: number,
  replicas: number,
): readonly StoryUpset[] {
  const kinds = upsetKinds.flatMap((kind) => {
    const length = drawInteger([0, upsets[kind]], seed, "upsets", kind);
    return Array.from<Upset>({ length }).fill(kind);
  });
  const drawn = kinds.map((kind, id): StoryUpset => {
    const replica = drawInteger([0, replicas - 1], seed, "replica", id);
    return { id, kind, atMs: timeOf(chaosMs, seed, "upset", id), replica };
  });
  return drawn.toSorted((left, right) => left.atMs - right.atMs);
}

function timeOf(chaosMs: number, seed: number, what: string, id: number): number {
  return Math.floor(draw(seed, what, id, "time") * chaosMs);
}

/** Draws the fault of a request or watch; most have none. */
export function faultOf(
  rates: Readonly<Record<string, number>>,
  seed: number,
  request: string,
): string | undefined {
  let rest = draw(seed, "fault", request);
  for (const [fault, rate] of Object.entries(rates)) {
    if (rest < rate) return fault;
    rest -= rate;
  }
  return undefined;
}
