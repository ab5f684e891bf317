import { createConnection } from "@listwatch/client";
import { makeInformer } from "@listwatch/client-node";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";

/** Unused, since a connection is passed. */
const noConfig = {
  exportConfig: () => "{}",
  getCurrentContext: () => undefined,
  loadFromOptions: () => undefined,
  applyToHTTPSOptions: () => Promise.resolve(),
};

test("a watch that is silent for 90 s is reopened without an error (MKI-2)", async () => {
  const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  const server = new FakeApiServer({ clock, seed: 1 });
  const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
  const never = (): Promise<never> => Promise.reject(new Error("expected no call"));
  const options = { clock, connection, list: "path" } as const;
  const informer = makeInformer(noConfig, "/api/v1/configmaps", never, undefined, options);
  const calls: string[] = [];
  informer.on("connect", () => calls.push("connect"));
  informer.on("error", (error) => calls.push(`error ${String(error)}`));
  const started = informer.start();
  await clock.advance(1000);
  await started;
  const [watch] = server.control.watches.list();
  watch?.stall();
  await clock.advance(100_000);
  expect(calls).toEqual(["connect", "connect"]);
  const stopped = informer.stop();
  await clock.advance(1000);
  await stopped;
  await informer[Symbol.asyncDispose]();
  expect(clock.pendingTimers).toBe(0);
});
