import { createClient, createConnection, type FetchFunction } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer, type FaultAction } from "@listwatch/fake-apiserver";
import type { Verb } from "./fault-verbs.ts";
import { logText, objects } from "./fault-verbs.ts";
import { ListenerCount } from "./listener-count.ts";
import { Traffic } from "./traffic.ts";

export interface Strike {
  /** Rules of the server. All of them strike the same requests. */
  readonly actions?: readonly FaultAction[] | undefined;
  /** Instead of a rule: requests fail before they reach the server. */
  readonly refuses?: true | undefined;
  /** Instead of a rule: the delay of the response's head, in milliseconds. */
  readonly headMs?: number | undefined;
  /** Number of requests that are struck. @default all */
  readonly times?: number | undefined;
  /** Milliseconds after which the call is aborted; 0 is before it begins. @default never */
  readonly abortMs?: number | undefined;
}

export interface Outcome {
  readonly struck: boolean;
  /**
   * `whole`: everything arrived; `partial`: it ended as if everything had arrived; `failed`;
   * `open`: it had not ended after 40 minutes.
   */
  readonly end: "whole" | "partial" | "failed" | "open";
  readonly error: unknown;
  /** Whether the error is the reason of the abort itself. */
  readonly isReason: boolean;
  readonly requests: number;
  /** Seconds from the call to its end. */
  readonly seconds: number;
  readonly effects: number;
  /** Descriptions of leaked resources after the call. */
  readonly leaks: readonly string[];
}

/** Start time of the calls; dates in faults are relative to it. */
export const startMs = Date.UTC(2026, 0, 1);
const horizonMs = 40 * 60_000;

/** Makes a call on a new server, lets a fault strike, and looks for leaks. */
export async function runCell(strike: Strike, { call }: Verb): Promise<Outcome> {
  const clock = new SimulatedClock({ startMs });
  const api = new FakeApiServer({ clock, seed: 1, objects });
  api.control.pods.setLog({ name: "on-node" }, logText);
  const { actions = [], times = Infinity, abortMs } = strike;
  const rules = actions.map((action) => api.control.faults.add({ match: {}, times, action }));
  // Time stands still while the server works, except for a fault that never answers.
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
 * Stops the clock while a request is answered: the server signs tokens and loads modules in real
 * time.
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

/** Refuses the first `times` requests, as if no process listened, or delays their answers. */
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
