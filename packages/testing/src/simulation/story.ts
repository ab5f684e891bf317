import { draw, drawInteger, drawOne } from "../plan/draw.ts";
import type { LoadedScenario } from "./scenario.ts";

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
  | "slow"
  /** The process is killed before the server has the request. */
  | "killed-before"
  /** The server acts on the request, and the process is killed before it has the answer. */
  | "killed-after";

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
  | "watch-expired"
  /** The process is killed when the next event arrives. */
  | "watch-killed";

/** A fault of a call of a webhook of the scenario. */
export type WebhookFault =
  /** The connection of the server to the webhook breaks. */
  | "webhook-reset"
  /** The webhook answers 500. */
  | "webhook-500"
  /** No answer comes until the server gives up. */
  | "webhook-silence";

/** A fault of one request. */
export type Fault = RequestFault | WatchFault | WebhookFault;

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
  | "compaction"
  /** The server's watches and cached reads show an old state for 5 to 60 s. */
  | "stale-cache"
  /** The clock of the process jumps by up to 60 s, forward or back. */
  | "clock-skew";

/** Probabilities of the faults of each request and watch, and numbers of upsets of a run. */
export interface FaultRates {
  /** Probability of each fault of a request, from 0 to 1. */
  readonly requests: Readonly<Record<RequestFault, number>>;
  /** Probability of each fault of a watch, from 0 to 1. */
  readonly watches: Readonly<Record<WatchFault, number>>;
  /** Probability of each fault of a call of a webhook, from 0 to 1. */
  readonly webhooks: Readonly<Record<WebhookFault, number>>;
  /** Largest number of each upset in a run. */
  readonly upsets: Readonly<Record<Upset, number>>;
}

/** No faults at all: only the order of what is concurrent differs between seeds. */
export const noFaults: FaultRates = {
  requests: {
    "429": 0,
    "500": 0,
    "503": 0,
    "killed-after": 0,
    "killed-before": 0,
    "lost-answer": 0,
    reset: 0,
    silence: 0,
    slow: 0,
  },
  watches: {
    "watch-end": 0,
    "watch-expired": 0,
    "watch-killed": 0,
    "watch-reset": 0,
    "watch-silence": 0,
    "watch-slow": 0,
  },
  webhooks: { "webhook-500": 0, "webhook-reset": 0, "webhook-silence": 0 },
  upsets: {
    "clock-skew": 0,
    compaction: 0,
    kill: 0,
    pause: 0,
    restart: 0,
    "server-restart": 0,
    "stale-cache": 0,
  },
};

/** More of everything than a bad day in production, so that a few hundred runs show what is rare. */
export const productionFaults: FaultRates = {
  requests: {
    "429": 0.02,
    "500": 0.02,
    "503": 0.02,
    "killed-after": 0.01,
    "killed-before": 0.005,
    "lost-answer": 0.04,
    reset: 0.03,
    silence: 0.005,
    slow: 0.03,
  },
  watches: {
    "watch-end": 0.1,
    "watch-expired": 0.08,
    "watch-killed": 0.03,
    "watch-reset": 0.1,
    "watch-silence": 0.05,
    "watch-slow": 0.2,
  },
  webhooks: { "webhook-500": 0.03, "webhook-reset": 0.03, "webhook-silence": 0.03 },
  upsets: {
    "clock-skew": 1,
    compaction: 1,
    kill: 2,
    pause: 1,
    restart: 1,
    "server-restart": 1,
    "stale-cache": 1,
  },
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
  readonly fault: Fault;
}

/** A fault that a run tries because runs before it did not. */
export interface StoryFocus {
  /** Kind of the request, such as `POST v1 pods`. */
  readonly kind: string;
  /** Kind of the fault. */
  readonly fault: Fault;
  /** Number of requests of this kind in the run that have no such fault before. */
  readonly skip: number;
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
  /** Faults of requests. @default drawn from the seed and the option `faults` */
  readonly faults?: readonly StoryFault[] | undefined;
  /** A further fault, which is drawn for coverage. @default none */
  readonly focus?: StoryFocus | undefined;
  /** Places of the objects of the scenario that are there at the start. @default all of them */
  readonly objects?: readonly number[] | undefined;
  /** Options of the simulation that the story comes from. @default those of a simulation */
  readonly options?: StoryOptions | undefined;
}

/** Options of a simulation that its runs depend on. */
export interface StoryOptions {
  /**
   * Faults of requests, watches, processes and the server: `"production"` has all of them, more
   * often than on a bad day; with `"none"` only the order of what is concurrent differs.
   *
   * @default "production"
   */
  readonly faults?: "none" | "production" | undefined;
  /** Simulated time with faults and actions, in milliseconds, up to a year. @default 120_000 */
  readonly chaosMs?: number | undefined;
  /**
   * Longest simulated time after the faults until the conditions of `eventually` hold, in
   * milliseconds, up to a year.
   *
   * @default 600_000
   */
  readonly convergeMs?: number | undefined;
  /**
   * Simulated time in which the program must write nothing after it has converged, and as much
   * before it to finish what it does, in milliseconds. Writes of leases, events and reviews do not
   * count. At any time, 500 writes without an action or an upset break it, too. Give it more time
   * than the program takes to notice that a watch is silent, which is some 90 s for an informer; up
   * to a year.
   *
   * @default 300_000
   */
  readonly quietMs?: number | undefined;
  /**
   * Whether each life of a process gets new modules, as in a cluster, which finds programs that
   * keep state in them. The scenario then names its program by a URL. Modules that it imports by a
   * path are loaded again, packages are not. Needs Node 22.15; each life costs memory.
   *
   * @default false
   */
  readonly isolate?: boolean | undefined;
}

/** Draws the story of a seed. */
export function storyOf(
  scenario: LoadedScenario,
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

const upsetKinds: readonly Upset[] = [
  "clock-skew",
  "compaction",
  "kill",
  "pause",
  "restart",
  "server-restart",
  "stale-cache",
];

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
