import { silentLog, type KubernetesObject } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  NetworkError,
  StatusError,
  type Status,
  type WatchEvent,
  type WatchOptions,
} from "@listwatch/client";
import { RetryWatcher, type ListerWatcher } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";

type Answer =
  | Error
  /** Events, after which the server ends the watch. */
  | readonly unknown[]
  /** Events, after which the watch stays open. */
  | { readonly open: readonly unknown[] };

/** A server with scripted watches, followed by watches that stay open. */
class Script implements Pick<ListerWatcher<KubernetesObject>, "watch"> {
  readonly clock = new SimulatedClock();
  readonly requests: { readonly atMs: number; readonly options: WatchOptions }[] = [];
  readonly #answers: Answer[];

  constructor(...answers: readonly Answer[]) {
    this.#answers = [...answers];
  }

  async watch(
    options: WatchOptions,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<AsyncGenerator<WatchEvent<KubernetesObject>>> {
    this.requests.push({ options, atMs: this.clock.now() });
    const answer = this.#answers.shift() ?? { open: [] };
    if (answer instanceof Error) throw answer;
    const events = "open" in answer ? answer.open : answer;
    return (async function* () {
      yield* events as readonly WatchEvent<KubernetesObject>[];
      if ("open" in answer)
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
    })();
  }
}

const event = (type: string, resourceVersion: string, name = "a"): unknown => ({
  type,
  object: { metadata: { name, resourceVersion } },
});

const error = (status: Status): unknown => ({
  type: "ERROR",
  object: { kind: "Status", ...status },
});

/** Returns the events of an hour, and whether the watcher ended by itself. */
async function read(script: Script): Promise<{ events: string[]; ended: boolean }> {
  const controller = new AbortController();
  const watcher = new RetryWatcher({
    listerWatcher: script,
    resourceVersion: "5",
    clock: script.clock,
    log: silentLog,
    silenceMs: Infinity,
    signal: controller.signal,
  });
  const events: string[] = [];
  let ended = false;
  const reading = (async () => {
    for await (const { type, object } of watcher) {
      const { metadata, code } = object as KubernetesObject & Status;
      events.push(`${type} ${(metadata as { resourceVersion?: string })?.resourceVersion ?? code}`);
    }
    ended = !controller.signal.aborted;
  })();
  await script.clock.advance(10_000);
  controller.abort();
  await reading;
  expect(script.clock.pendingTimers).toBe(0);
  return { events, ended };
}

const versions = (script: Script): unknown[] =>
  script.requests.map(({ options }) => options.resourceVersion);

describe("a retrying watcher", () => {
  test.each(["", "0"])("rejects %j, which is not an exact version (RW-1)", (resourceVersion) => {
    expect(() => new RetryWatcher({ listerWatcher: new Script(), resourceVersion })).toThrow(
      expect.objectContaining({ code: "LW_INVALID_OPTIONS" }),
    );
  });

  test("yields each event once across watches that end, resuming from the last event (RW-2, RW-3)", async () => {
    const script = new Script(
      [event("ADDED", "6"), event("MODIFIED", "7")],
      [event("DELETED", "8")],
    );
    expect(await read(script)).toEqual({
      events: ["ADDED 6", "MODIFIED 7", "DELETED 8"],
      ended: false,
    });
    expect(script.requests.map(({ options }) => options)).toEqual(
      ["5", "7", "8"].map((resourceVersion) => ({ resourceVersion, allowWatchBookmarks: true })),
    );
  });

  test("opens watches at least a second apart (RW-2)", async () => {
    const script = new Script([], [event("ADDED", "6")], []);
    await read(script);
    expect(script.requests.map(({ atMs }) => atMs)).toEqual([0, 1000, 2000, 3000]);
  });

  test("resumes from bookmarks and does not yield them (RW-2)", async () => {
    const script = new Script([event("BOOKMARK", "9")]);
    expect((await read(script)).events).toEqual([]);
    expect(versions(script)).toEqual(["5", "9"]);
  });

  test.each([
    ["the end of the connection", new NetworkError("eof", "no")],
    ["a refused connection", new NetworkError("connection-refused", "no")],
    ["410", new StatusError({ code: 410, reason: "Expired" })],
    ["500", new StatusError({ code: 500 })],
    ["anything else", new Error("no")],
  ])("retries when opening fails with %s (RW-3)", async (_, failure) => {
    const script = new Script(failure, [event("ADDED", "6")]);
    expect(await read(script)).toEqual({ events: ["ADDED 6"], ended: false });
  });

  test.each([401, 403])("yields a %i of the opening as an event, and ends (RW-3)", async (code) => {
    const script = new Script(new StatusError({ code }));
    expect(await read(script)).toEqual({ events: [`ERROR ${code}`], ended: true });
    expect(script.requests).toHaveLength(1);
  });

  test("yields a 410 of the stream as an event, and ends (RW-3)", async () => {
    const script = new Script([event("ADDED", "6"), error({ code: 410 }), event("ADDED", "7")]);
    expect(await read(script)).toEqual({ events: ["ADDED 6", "ERROR 410"], ended: true });
  });

  test.each([500, 504, 429])(
    "retries after a %i of the stream, without yielding it",
    async (code) => {
      const script = new Script([error({ code }), event("ADDED", "6")], [event("ADDED", "6")]);
      expect(await read(script)).toEqual({ events: ["ADDED 6"], ended: false });
    },
  );

  test("is not turned back by an event with a lower version, such as a deletion with its last", async () => {
    const script = new Script([event("MODIFIED", "12", "b"), event("DELETED", "7")]);
    const { events } = await read(script);
    expect(events).toHaveLength(2);
    expect(script.requests.map(({ options }) => options.resourceVersion)).toEqual(["5", "12"]);
  });

  test("waits as long as the server requests, in addition to the usual spacing (RW-2)", async () => {
    const retry = { code: 429, details: { retryAfterSeconds: 3 } };
    const script = new Script([error(retry)], new StatusError(retry));
    await read(script);
    expect(script.requests.map(({ atMs }) => atMs)).toEqual([0, 4000, 8000]);
  });

  test.each([
    ["an object without a resourceVersion", { type: "ADDED", object: { metadata: {} } }],
    [
      "an object of the resourceVersion 0",
      { type: "ADDED", object: { metadata: { resourceVersion: "0" } } },
    ],
    ["an unknown type", event("RENAMED", "6")],
  ])("reports that it lost its position after %s, and ends (RW-3)", async (_, strange) => {
    expect(await read(new Script([strange]))).toEqual({ events: ["ERROR 500"], ended: true });
  });

  test("continues after an ERROR event without a Status (RW-3)", async () => {
    const script = new Script([{ type: "ERROR", object: { oops: 1 } }], [event("ADDED", "6")]);
    expect((await read(script)).events).toEqual(["ADDED 6"]);
  });

  test("closes the watch when it is left early", async () => {
    const cluster = new Cluster();
    await cluster.create("a");
    await cluster.create("b");
    const watcher = new RetryWatcher({
      listerWatcher: cluster.source(),
      resourceVersion: String(cluster.api.control.revision - 1),
      clock: cluster.clock,
    });
    for await (const seen of watcher) {
      expect(seen).toMatchObject({ type: "ADDED", object: { metadata: { name: "b" } } });
      break;
    }
    await cluster.clock.settle();
    expect(cluster.api.control.watches.list()).toEqual([]);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test.each([
    ["nothing comes", []],
    ["it waits for the next watch", [new Error("no")]],
  ])("ends immediately when it is left while %s (RST-6, RW-3)", async (_, answers) => {
    const script = new Script(...answers);
    const { clock } = script;
    const watcher = new RetryWatcher({
      listerWatcher: script,
      resourceVersion: "5",
      clock,
      log: silentLog,
    });
    const iterator = watcher[Symbol.asyncIterator]();
    const next = iterator.next();
    await clock.settle();
    const left = iterator.return();
    expect(await Promise.all([next, left])).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(100_000);
    expect(script.requests).toHaveLength(1);
  });
});
