import { createClient } from "@listwatch/client";
import { inRealTime } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { checkWebhookOperator } from "../support/webhook-operator.ts";

// The reviews are sent over TLS, in real time. All waits between them are simulated.
test("webhooks that the fake API server calls pass the checks of a real one (WHK-1, WHK-2, WHK-7, WHK-8)", async () => {
  const clock = new SimulatedClock({ startMs: Date.now() });
  const server = new FakeApiServer({ clock });
  const client = createClient({
    server: "http://fake",
    namespace: "default",
    fetch: (request) => inRealTime(server.fetch(request)),
  });
  const passed: string[] = [];
  const failures: unknown[] = [];
  const check = async (name: string, run: () => Promise<void>): Promise<void> => {
    await run();
    passed.push(name);
  };
  checkWebhookOperator(client, check, { suffix: "fake", pauseMs: 2000, clock }).catch((error) => {
    failures.push(error);
  });
  await clock.advance(300_000);
  expect(failures).toEqual([]);
  expect(passed).toHaveLength(9);
  expect(clock.pendingTimers).toBe(0);
});
