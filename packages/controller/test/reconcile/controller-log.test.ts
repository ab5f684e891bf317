import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { StatusError } from "@listwatch/client";
import { Controller, TerminalError, type ControllerOptions } from "@listwatch/controller";
import { NotSyncedError, SharedInformer } from "@listwatch/shared-informer";
import { Cluster, checkIdle, failureOf, type ConfigMap } from "../support/cluster.ts";
import { LineLog } from "../support/lines.ts";

let cluster: Cluster;
let stop: AbortController;
let log: LineLog;

beforeEach(() => {
  cluster = new Cluster();
  stop = new AbortController();
  log = new LineLog();
});

afterEach(async () => {
  stop.abort();
  await cluster.clock.advance(1000);
  checkIdle(cluster.clock);
});

function start(
  reconcile: ControllerOptions["reconcile"],
  options: Partial<ControllerOptions> = {},
): Controller {
  const controller = new Controller({
    name: "shop",
    clock: cluster.clock,
    telemetry: { log },
    ...options,
    reconcile,
  });
  controller.queue.add("default/a");
  void controller.run(stop.signal);
  return controller;
}

const conflict = (): never => {
  throw new StatusError({
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    code: 409,
    reason: "Conflict",
    message: "the object has been modified",
  });
};

function informerOf(name: string): SharedInformer<ConfigMap> {
  return new SharedInformer<ConfigMap>({
    name,
    clock: cluster.clock,
    listerWatcher: cluster.source(),
    telemetry: { log: new LineLog() },
  });
}

describe("A reconcile that throws", () => {
  test("is logged immediately, once a minute, and when all keys have succeeded", async () => {
    let isBroken = true;
    const controller = start(() => {
      if (isBroken) throw new Error("no database");
    });
    controller.queue.add("default/b");
    await cluster.clock.advance(10);
    expect(log.loud).toMatchObject([
      {
        message: "Reconcile failed",
        fields: {
          controller: "shop",
          key: "default/a",
          failures: 1,
          willRetry: true,
          cause: { message: "no database" },
        },
      },
    ]);
    await cluster.clock.advance(180_000);
    expect(log.loud.map(({ message }) => message)).toEqual([
      "Reconcile failed",
      "Reconcile still fails",
      "Reconcile still fails",
      "Reconcile still fails",
    ]);
    isBroken = false;
    await cluster.clock.advance(1_000_000);
    expect(log.loud.at(-1)?.message).toBe("Reconcile works again");
  });

  test("is logged when it is not retried", async () => {
    start(() => {
      throw new TerminalError("never");
    });
    await cluster.clock.advance(10);
    expect(log.loud).toMatchObject([{ fields: { willRetry: false } }]);
  });

  test("is reported to onError only, and an exception of onError is logged", async () => {
    const errors: unknown[] = [];
    start(() => conflict(), {
      onError: (error) => {
        errors.push(error);
        throw new Error("The hook is broken");
      },
    });
    await cluster.clock.advance(10);
    expect(errors.length).toBeGreaterThan(0);
    expect(log.loud).toMatchObject([{ fields: { cause: { message: "The hook is broken" } } }]);
  });

  test("with a retried conflict is normal, but not permanently", async () => {
    let left = 5;
    start(() => {
      if (left-- > 0) conflict();
    });
    await cluster.clock.advance(1000);
    expect(log.loud).toEqual([]);
    start(conflict);
    await cluster.clock.advance(1000);
    expect(log.loud).toMatchObject([{ fields: { failures: 6, cause: { httpCode: 409 } } }]);
  });

  test("because a stop has aborted it does not count as failed", async () => {
    const errors: unknown[] = [];
    start(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        }),
      { limits: { stopTimeoutMs: 10 }, onError: (error) => errors.push(error) },
    );
    await cluster.clock.advance(10);
    stop.abort();
    await cluster.clock.advance(100);
    expect([errors, log.loud]).toEqual([[], []]);
  });
});

describe("A reconcile that ignores the stop of its controller", () => {
  const run = (
    options: Partial<ControllerOptions>,
  ): { end: (key: string) => void; isOver: () => boolean } => {
    const ends = new Map<string, () => void>();
    let isOver = false;
    const controller = new Controller({
      name: "shop",
      clock: cluster.clock,
      telemetry: { log },
      workers: 2,
      reconcile: (key) => new Promise<void>((resolve) => ends.set(key, resolve)),
      ...options,
    });
    for (const key of ["default/a", "default/b"]) controller.queue.add(key);
    void controller.run(stop.signal).then(() => (isOver = true));
    return { end: (key) => ends.get(key)?.(), isOver: () => isOver };
  };

  test("is logged when the time is over, once a minute after that, and when it has ended", async () => {
    const { end, isOver } = run({ limits: { stopTimeoutMs: 5000 } });
    await cluster.clock.advance(10);
    stop.abort();
    await cluster.clock.advance(4999);
    expect(log.loud).toEqual([]);
    await cluster.clock.advance(1);
    expect(log.loud).toMatchObject([
      {
        message: "The stop of the controller failed",
        fields: {
          controller: "shop",
          keys: ["default/a", "default/b"],
          advice: "Pass the signal of the reconcile on to every request and wait",
          cause: {
            code: "LW_STOPPED",
            message:
              'Cannot stop shop: expected the reconcile of "default/a" to end within 5 s, got no end',
          },
        },
      },
    ]);
    await cluster.clock.advance(30_000);
    end("default/a");
    await cluster.clock.advance(90_000);
    expect(log.loud.slice(1)).toMatchObject([
      { message: "The stop of the controller still fails", fields: { keys: ["default/b"] } },
      { message: "The stop of the controller still fails", fields: { keys: ["default/b"] } },
    ]);
    expect(isOver()).toBe(false);
    end("default/b");
    await cluster.clock.advance(0);
    expect(log.loud.at(-1)?.message).toBe("The stop of the controller works again");
    expect(isOver()).toBe(true);
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("is reported to onError once a minute for each key", async () => {
    const errors: unknown[] = [];
    const { end } = run({
      onError: (error, { key, willRetry }) => errors.push([error, key, willRetry]),
      // Its signal is already aborted when the stop timeout is over.
      limits: { stopTimeoutMs: 5000, timeoutMs: 1000 },
    });
    await cluster.clock.advance(1000);
    errors.length = 0;
    stop.abort();
    await cluster.clock.advance(5000);
    expect(errors).toEqual(
      ["default/a", "default/b"].map((key) => [
        expect.objectContaining({ code: "LW_STOPPED" }),
        key,
        false,
      ]),
    );
    await cluster.clock.advance(60_000);
    expect(errors).toHaveLength(4);
    for (const key of ["default/a", "default/b"]) end(key);
    await cluster.clock.advance(120_000);
    expect(errors).toHaveLength(4);
    expect(log.loud).toEqual([]);
  });
});

describe("A controller that cannot start", () => {
  test("logs after 10 s the informers that were not started", async () => {
    const running = informerOf("running");
    const forgotten = informerOf("forgotten");
    void running.run(stop.signal);
    const controller = new Controller({
      name: "shop",
      clock: cluster.clock,
      telemetry: { log },
      reconcile: () => {},
    })
      .for(running)
      .watches(forgotten, () => []);
    void controller.run(stop.signal);
    await cluster.clock.advance(9999);
    expect(log.lines).toEqual([]);
    await cluster.clock.advance(1);
    expect(log.loud).toMatchObject([
      {
        fields: {
          advice: "Call start() of the factory, or run() of each informer",
          cause: {
            message: "Cannot start shop: expected its informers to run, got forgotten not started",
          },
        },
      },
    ]);
    void forgotten.run(stop.signal);
    await cluster.clock.advance(1000);
    expect(log.loud.at(-1)?.message).toBe("The start of the controller works again");
  });

  test("logs the reason when it is stopped before its caches have synced", async () => {
    cluster.api.control.faults.add({
      match: { resource: "configmaps" },
      times: Infinity,
      action: { type: "status", status: { code: 403, reason: "Forbidden" } },
    });
    const informer = informerOf("configmaps");
    void informer.run(stop.signal);
    const controller = new Controller({
      name: "shop",
      clock: cluster.clock,
      telemetry: { log },
      reconcile: () => {},
      informer,
    });
    const ended = controller.run(stop.signal);
    await cluster.clock.advance(3000);
    stop.abort();
    await cluster.clock.advance(1000);
    await ended;
    expect(await failureOf(controller.synced)).toBeInstanceOf(NotSyncedError);
    expect(log.loud).toHaveLength(1);
    expect(log.loud[0]?.fields["cause"]).toBeInstanceOf(NotSyncedError);
  });

  test("logs nothing when it is stopped early without a problem", async () => {
    const informer = informerOf("configmaps");
    void informer.run(stop.signal);
    const controller = new Controller({
      clock: cluster.clock,
      telemetry: { log },
      reconcile: () => {},
      informer,
    });
    void controller.run(stop.signal);
    stop.abort();
    await cluster.clock.advance(1000);
    expect(log.lines).toEqual([]);
  });
});
