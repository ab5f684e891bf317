import { createClient, createConnection, type FetchFunction } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, type FaultAction } from "@listwatch/fake-apiserver";
import type { Verb } from "./fault-verbs.ts";
import { logText, objects } from "./fault-verbs.ts";
import { ListenerCount } from "./listener-count.ts";
import { Traffic } from "./traffic.ts";

/** What strikes a call. */
export interface Strike {
  /** Rules of the server, all of which strike the same requests. */
  readonly actions?: readonly FaultAction[] | undefined;
  /** In place of a rule: requests fail before anything reaches the server. */
  readonly refuses?: true | undefined;
  /** In place of a rule: milliseconds by which the head of an answer is late. */
  readonly headMs?: number | undefined;
  /** How many requests are struck. @default all */
  readonly times?: number | undefined;
  /** When the call is aborted, in milliseconds; 0 for before it begins. @default never */
  readonly abortMs?: number | undefined;
}

/** What became of a call. */
export interface Outcome {
  /** Whether all that should strike has struck. */
  readonly struck: boolean;
  /**
   * `whole`: everything came; `partial`: it ended as if everything had come; `failed`; `open`: it
   * had not ended after 40 minutes.
   */
  readonly end: "whole" | "partial" | "failed" | "open";
  readonly error: unknown;
  /** Whether the error is the reason of the abort itself. */
  readonly isReason: boolean;
  readonly requests: number;
  /** Seconds from the call to its end. */
  readonly seconds: number;
  /** What the server has stored, in events. */
  readonly effects: number;
  /** What is left when the call has ended, in words; empty if all is well. */
  readonly leaks: readonly string[];
}

/** When the calls are made: dates in faults are relative to it. */
export const startMs = Date.UTC(2026, 0, 1);
const horizonMs = 40 * 60_000;

/** Makes a call on a server of its own, lets a fault strike, and looks at what is left. */
export async function runCell(strike: Strike, { call }: Verb): Promise<Outcome> {
  const clock = new SimulatedClock({ startMs });
  const api = new FakeApiServer({ clock, seed: 1, objects });
  api.control.pods.setLog({ name: "on-node" }, logText);
  const { actions = [], times = Infinity, abortMs } = strike;
  const rules = actions.map((action) => api.control.faults.add({ match: {}, times, action }));
  // Time stands still while the server works, but not for one that never answers.
  const isSilent = actions.some(({ type }) => type === "blackhole");
  const answer = isSilent ? api.fetch : patient(api.fetch, clock);
  const strikes = { count: 0 };
  const traffic = new Traffic(striking(answer, strike, clock, strikes));
  const connection = createConnection({
    server: "http://fake",
    fetch: (request) => traffic.fetch(request),
    headers: ({ refresh }) => ({ "x-credentials": refresh ? "renewed" : "first" }),
  });
  const client = createClient(connection, {
    clock,
    random: () => 0,
    fieldManager: "test",
    onWarning: () => undefined,
  });
  const before = api.control.eventLog().length;
  const stop = new AbortController();
  const reason = new Error("the reason of the abort");
  const abort = (): void => stop.abort(reason);
  if (abortMs === 0) abort();
  else if (abortMs !== undefined) clock.setTimeout(abort, abortMs);
  const listeners = new ListenerCount(stop.signal);
  const settled: { end?: Outcome["end"]; error?: unknown; atMs?: number } = {};
  const running = (async () => {
    try {
      settled.end = (await call(client, { signal: stop.signal })) ? "whole" : "partial";
    } catch (error) {
      settled.end = "failed";
      settled.error = error;
    }
    settled.atMs = clock.now();
  })();
  await clock.advance(horizonMs);
  const { end = "open", error, atMs = startMs } = settled;
  if (end === "open") stop.abort(reason);
  await running;
  await clock.settle();
  return {
    struck: rules.every(({ fired }) => fired > 0) && (abortMs === 0 || strikes.count > 0),
    end,
    error,
    isReason: error === reason,
    requests: traffic.requests,
    seconds: (atMs - startMs) / 1000,
    effects: api.control.eventLog().length - before,
    leaks: [
      ...traffic.leaks,
      ...listeners.leaks,
      ...api.control.watches.list().flatMap(({ open }) => (open ? ["an open watch"] : [])),
      ...(clock.pendingTimers > 0 ? [`${clock.pendingTimers} timers`] : []),
    ],
  };
}

/**
 * Holds the clock while a request is answered: the server signs tokens and loads parts of itself in
 * turns of its own.
 */
function patient(fetch: FetchFunction, clock: SimulatedClock): FetchFunction {
  return async (request) => {
    const work = { isOver: false };
    const answering = fetch(request);
    void (async () => {
      await Promise.allSettled([answering]);
      work.isOver = true;
    })();
    while (!work.isOver) await clock.nextTurn();
    return answering;
  };
}

/** Refuses so many requests, as if no process listened, or lets their answers wait. */
function striking(
  fetch: FetchFunction,
  { refuses, headMs, times = Infinity }: Strike,
  clock: SimulatedClock,
  strikes: { count: number },
): FetchFunction {
  return async (request) => {
    if (strikes.count >= times) return fetch(request);
    strikes.count++;
    if (refuses === true) {
      const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
      throw new TypeError("fetch failed", { cause });
    }
    const response = await fetch(request);
    if (headMs !== undefined) await sleep(headMs, { clock, signal: request.signal });
    return response;
  };
}
