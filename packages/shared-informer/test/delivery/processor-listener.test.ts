import { AlreadyRunningError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import {
  NotSyncedError,
  ProcessorListener,
  type InformerEvent,
  type ResourceEventHandler,
  type SlowHandlerReport,
} from "../../src/index.ts";

interface Pod {
  name: string;
}

function add(name: string, isInInitialList = false): InformerEvent<Pod> {
  return { type: "add", key: name, object: { name }, isInInitialList };
}

function update(name: string): InformerEvent<Pod> {
  return { type: "update", key: name, old: { name }, object: { name } };
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

function recorder(calls: string[]): ResourceEventHandler<Pod> {
  return {
    onAdd: ({ name }, isInInitialList) => calls.push(`add ${name} ${isInInitialList}`),
    onUpdate: (old, { name }) => calls.push(`update ${old.name} ${name}`),
    onDelete: ({ key, object, stale }) => calls.push(`delete ${key} ${object?.name} ${stale}`),
  };
}

describe("ProcessorListener", () => {
  test("calls the matching callback, in the order of the notifications (SI-24)", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const listener = new ProcessorListener(recorder(calls), { clock });
    listener.start();
    listener.push(add("a", true));
    listener.push(update("a"));
    listener.push({ type: "delete", key: "a", stale: false, object: { name: "a" } });
    listener.push({ type: "delete", key: "b", stale: true });
    expect(calls).toEqual([]);
    await clock.settle();
    expect(calls).toEqual([
      "add a true",
      "update a a",
      "delete a a false",
      "delete b undefined true",
    ]);
    await listener.stop();
  });

  test("requires no callback", async () => {
    const clock = new SimulatedClock();
    const listener = new ProcessorListener<Pod>({}, { clock });
    listener.start();
    listener.push(add("a"));
    listener.push(update("a"));
    listener.push({ type: "delete", key: "a", stale: true });
    await clock.settle();
    expect(listener.backlog).toBe(0);
    await listener.stop();
  });

  test("keeps notifications that arrive before the start (SI-22)", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const listener = new ProcessorListener(recorder(calls), { clock });
    listener.push(add("a"));
    await clock.settle();
    expect(calls).toEqual([]);
    listener.start();
    await clock.settle();
    expect(calls).toEqual(["add a false"]);
    await listener.stop();
  });

  test("waits for the promise of a callback before the next call (GEN-5)", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const gates = [gate(), gate()];
    const listener = new ProcessorListener<Pod>(
      {
        onAdd: ({ name }) => {
          calls.push(name);
          return gates[calls.length - 1]?.opened;
        },
      },
      { clock },
    );
    listener.start();
    listener.push(add("a"));
    listener.push(add("b"));
    listener.push(add("c"));
    await clock.settle();
    expect(calls).toEqual(["a"]);
    expect(listener.backlog).toBe(2);
    gates[0]?.open();
    await clock.settle();
    expect(calls).toEqual(["a", "b"]);
    gates[1]?.open();
    await clock.settle();
    expect(calls).toEqual(["a", "b", "c"]);
    await listener.stop();
  });

  test("reports an error of a callback and continues (SI-25)", async () => {
    const clock = new SimulatedClock();
    const errors: unknown[] = [];
    const listener = new ProcessorListener<Pod>(
      {
        onAdd: ({ name }) => {
          throw new Error(`add ${name}`);
        },
        onUpdate: async (_, { name }) => {
          throw new Error(`update ${name}`);
        },
      },
      {
        clock,
        name: "broken",
        onHandlerError: (error, { name }, { type }) => errors.push([name, type, String(error)]),
      },
    );
    listener.start();
    listener.push(add("a", true));
    listener.push(update("b"));
    listener.push(add("c"));
    listener.sourceSynced();
    await clock.settle();
    expect(errors).toEqual([
      ["broken", "add", "Error: add a"],
      ["broken", "update", "Error: update b"],
      ["broken", "add", "Error: add c"],
    ]);
    expect(listener.hasSynced).toBe(true);
    await listener.stop();
  });

  test("has synced when the source has and every initial add was processed (SI-13)", async () => {
    const clock = new SimulatedClock();
    const gates = [gate(), gate()];
    let calls = 0;
    const listener = new ProcessorListener<Pod>({ onAdd: () => gates[calls++]?.opened }, { clock });
    listener.start();
    listener.push(add("a", true));
    listener.push(add("b", true));
    listener.push(add("c"));
    gates[0]?.open();
    await clock.settle();
    listener.sourceSynced();
    expect(listener.hasSynced).toBe(false);
    gates[1]?.open();
    await listener.synced;
    expect(listener.hasSynced).toBe(true);
    await listener.stop();
  });

  test("has synced with a source without objects, and stays synced", async () => {
    const listener = new ProcessorListener<Pod>({}, { clock: new SimulatedClock() });
    expect(listener.hasSynced).toBe(false);
    listener.sourceSynced();
    expect(listener.hasSynced).toBe(true);
    await listener.synced;
    listener.push(add("a", true));
    expect(listener.hasSynced).toBe(true);
    await listener.stop();
    await listener.synced;
  });

  test("rejects the wait for its sync when it ends first", async () => {
    const listener = new ProcessorListener<Pod>({}, { name: "late", clock: new SimulatedClock() });
    await listener.stop();
    await expect(listener.synced).rejects.toThrow(NotSyncedError);
    listener.sourceSynced();
    expect(listener.hasSynced).toBe(false);
  });

  test("drops pending notifications at the stop and waits for the running callback (SI-6, SI-31)", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const held = gate();
    const listener = new ProcessorListener<Pod>(
      {
        onAdd: ({ name }) => {
          calls.push(name);
          return held.opened;
        },
      },
      { clock },
    );
    const stop = new AbortController();
    let ended = false;
    const running = listener.run(stop.signal).then(() => (ended = true));
    listener.push(add("a"));
    listener.push(add("b"));
    await clock.settle();
    stop.abort();
    listener.push(add("c"));
    await clock.settle();
    expect({ ended, backlog: listener.backlog }).toEqual({ ended: false, backlog: 0 });
    held.open();
    await running;
    expect(calls).toEqual(["a"]);
  });

  test("runs once", async () => {
    const listener = new ProcessorListener<Pod>({});
    const stop = new AbortController();
    const ended = listener.run(stop.signal);
    await expect(listener.run(stop.signal)).rejects.toThrow(AlreadyRunningError);
    stop.abort();
    await ended;
    await expect(listener.run(stop.signal)).rejects.toThrow(AlreadyRunningError);
  });

  test("runs without a signal until it is stopped", async () => {
    const listener = new ProcessorListener<Pod>({});
    const ended = listener.run();
    await listener.stop();
    await expect(ended).resolves.toBeUndefined();
  });

  test("ends immediately when its signal is already aborted", async () => {
    const calls: string[] = [];
    const listener = new ProcessorListener(recorder(calls));
    listener.push(add("a"));
    await listener.run(AbortSignal.abort());
    expect(calls).toEqual([]);
  });

  test("can be stopped by its own callback", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const listener: ProcessorListener<Pod> = new ProcessorListener<Pod>(
      {
        onAdd: ({ name }) => {
          calls.push(name);
          void listener.stop();
        },
      },
      { clock },
    );
    listener.start();
    listener.push(add("a"));
    listener.push(add("b"));
    await clock.settle();
    expect(calls).toEqual(["a"]);
    await listener.stop();
  });

  test("yields to the event loop when callbacks take longer than its slice", async () => {
    const clock = new SimulatedClock();
    let turns = 0;
    let nowMs = 0;
    const busy = {
      now: () => nowMs,
      setTimeout: clock.setTimeout.bind(clock),
      nextTurn: () => {
        turns++;
        return clock.nextTurn();
      },
    };
    let calls = 0;
    const listener = new ProcessorListener<Pod>(
      {
        onAdd: () => {
          calls++;
          nowMs += 3;
        },
      },
      { clock: busy },
    );
    listener.start();
    for (let index = 0; index < 9; index++) listener.push(add("a"));
    await clock.settle();
    expect(calls).toBe(9);
    expect(turns).toBe(3);
    await listener.stop();
  });

  test("names a slow handler when more than 1024 notifications wait (SI-26)", async () => {
    const clock = new SimulatedClock();
    const reports: SlowHandlerReport[] = [];
    const listener = new ProcessorListener<Pod>(
      {
        onAdd: () => {},
        onUpdate: () => new Promise<void>((resolve) => void clock.setTimeout(resolve, 101)),
      },
      { clock, name: "sloth", onSlowHandler: (report) => reports.push(report) },
    );
    listener.start();
    listener.push(update("a"));
    for (let index = 0; index < 1024; index++) listener.push(add("b"));
    await clock.advance(101);
    expect(reports).toEqual([]);
    listener.push(update("a"));
    for (let index = 0; index < 1025; index++) listener.push(add("b"));
    await clock.advance(101);
    expect(reports).toEqual([{ name: "sloth", durationMs: 101, backlog: 1025 }]);
    await listener.stop();
  });

  test("keeps the order over a backlog that never runs empty", async () => {
    const clock = new SimulatedClock();
    const calls: string[] = [];
    const listener: ProcessorListener<Pod> = new ProcessorListener<Pod>(
      {
        onAdd: ({ name }) => {
          calls.push(name);
          if (calls.length < 10_000) listener.push(add(`${Number(name) + 2}`));
        },
      },
      { clock },
    );
    listener.start();
    listener.push(add("0"));
    listener.push(add("1"));
    await clock.settle();
    expect(calls).toEqual(Array.from({ length: 10_001 }, (_, index) => `${index}`));
    await listener.stop();
  });

  test.each([
    { isInInitialList: false, events: 10_000, reports: [] },
    { isInInitialList: false, events: 20_000, reports: ["slow 10001 at 0"] },
    { isInInitialList: true, events: 10_000, reports: [] },
    { isInInitialList: true, events: 20_000, reports: ["slow 19999 at 10000"] },
  ])(
    "warns once about a handler with $events pending events, of the initial list: $isInInitialList",
    async ({ isInInitialList, events, reports }) => {
      const clock = new SimulatedClock();
      const busy = gate();
      const seen: string[] = [];
      const listener = new ProcessorListener<Pod>(
        { onAdd: () => busy.opened },
        {
          name: "slow",
          clock,
          onLongBacklog: (name, backlog) => seen.push(`${name} ${backlog} at ${clock.now()}`),
        },
      );
      listener.start();
      for (let left = events; left > 0; left--) listener.push(add("a", isInInitialList));
      await clock.advance(60_000);
      expect(seen).toEqual(reports);
      expect(clock.pendingTimers).toBe(0);
      const stopped = listener.stop();
      busy.open();
      await stopped;
    },
  );

  test("does not warn about a handler that processes a large initial list in time", async () => {
    const clock = new SimulatedClock();
    const seen: string[] = [];
    const listener = new ProcessorListener<Pod>(
      { onAdd: () => {} },
      { clock, onLongBacklog: (name) => seen.push(name) },
    );
    for (let left = 20_000; left > 0; left--) listener.push(add("a", true));
    listener.push(update("a"));
    listener.start();
    await clock.advance(60_000);
    expect(seen).toEqual([]);
    await listener.stop();
    expect(clock.pendingTimers).toBe(0);
  });
});
