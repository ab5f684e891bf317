import { sleep } from "@listwatch/core-fifo";
import { expect, test } from "vitest";
import { checkIdle, Cluster, configMap } from "./support/cluster.ts";
import { Operator } from "./support/operator.ts";
import { read } from "./support/pages.ts";

const server = { port: 0, host: "127.0.0.1" };

test("webhooks serve before the caches, make readiness wait, and go on after a stop (MGR-1)", async () => {
  const cluster = new Cluster();
  await cluster.configMaps.create(configMap("default/a"));
  const operator = new Operator({ server }, cluster).addParts();
  const { manager, order, stop } = operator;
  const { clock } = cluster;
  const certificate = Promise.withResolvers<void>();
  let isReady = true;
  manager.webhooks(async () => {
    order.push("webhooks wait for a certificate");
    await certificate.promise;
    return {
      get isReady() {
        return isReady;
      },
      close: async () => {
        isReady = false;
        order.push("webhooks close");
        await sleep(5000, { clock });
        order.push("webhooks have closed");
      },
    };
  });
  const running = manager.run(stop.signal);
  await clock.advance(100);
  expect(order.indexOf("webhooks wait for a certificate")).toBeLessThan(
    order.indexOf("Informers have synced"),
  );
  expect(await read(manager, "/readyz")).toEqual({
    status: 503,
    text: expect.stringContaining("[-]webhooks failed: the server of webhooks has no certificate"),
  });
  certificate.resolve();
  await clock.advance(100);
  expect(await read(manager, "/readyz")).toEqual({ status: 200, text: "ok" });
  stop.abort();
  await clock.advance(4000);
  expect((await read(manager, "/readyz")).status).toBe(503);
  expect(operator.orderFrom("webhooks close")).not.toContain("Manager has stopped");
  await clock.advance(1000);
  expect(await running).toEqual({ by: "abort" });
  expect(operator.orderFrom("webhooks have closed")).toEqual([
    "webhooks have closed",
    "Manager has stopped",
  ]);
  checkIdle(clock);
});

test("a server of webhooks that cannot start ends the manager", async () => {
  const cluster = new Cluster();
  const operator = new Operator({}, cluster);
  operator.manager.webhooks(() => Promise.reject(new Error("the port is taken")));
  const running = operator.manager.run().catch((error: unknown) => error);
  await cluster.clock.advance(1000);
  expect(String(await running)).toContain("the port is taken");
  checkIdle(cluster.clock);
});

test("a stop before the certificate ends the wait", async () => {
  const cluster = new Cluster();
  const operator = new Operator({}, cluster);
  operator.manager.webhooks(
    (signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }),
      ),
  );
  const running = operator.manager.run(operator.stop.signal);
  await cluster.clock.advance(1000);
  operator.stop.abort();
  await cluster.clock.advance(1000);
  expect(await running).toEqual({ by: "abort" });
  checkIdle(cluster.clock);
});
