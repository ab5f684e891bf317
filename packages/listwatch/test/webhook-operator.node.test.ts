import { request } from "node:https";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { createConnection, createManager, silentLog } from "listwatch";
import { validatingwebhookconfigurations } from "listwatch/resources/admissionregistration.k8s.io/v1";
import { leases } from "listwatch/resources/coordination.k8s.io/v1";
import { configmaps, namespaces } from "listwatch/resources/core/v1";
import { routeWebhooks, validating, webhookConfigurations } from "listwatch/webhooks";
import { rotatedCertificates } from "listwatch/webhooks/certificates";
import { serveWebhooks, type WebhookServer } from "listwatch/webhooks/node";
import { expect, test } from "vitest";

const [name, namespace] = ["hooks", "operators"];

/** Resolves when the server of webhooks answers with a certificate of the authority. */
function call(port: number, ca: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, ca, servername: "hooks.operators.svc" };
    const outgoing = request({ ...options, agent: false }, ({ statusCode }) => resolve(statusCode));
    outgoing.on("error", reject);
    outgoing.end();
  });
}

test("a manager is ready once there is a certificate, which needs no leader (WHK-1, WHK-6)", async () => {
  const clock = new SimulatedClock({ startMs: Date.now() });
  const server = new FakeApiServer({ clock });
  const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
  const manager = createManager(connection, {
    name,
    clock,
    election: { namespace, identity: "pod-1" },
    server: { host: "127.0.0.1", port: 0 },
    signals: false,
    telemetry: { log: silentLog },
  });
  await manager.client.resource(namespaces).create({ metadata: { name: namespace } });
  // Another replica that has just ended without releasing its Lease.
  const renewTime = new Date(clock.now()).toISOString().replace("Z", "000Z");
  await manager.client.resource(leases).create({
    metadata: { namespace, name },
    spec: { holderIdentity: "pod-0", leaseDurationSeconds: 60, renewTime, acquireTime: renewTime },
  });
  const router = routeWebhooks([validating(configmaps, () => {})]);
  const certificates = rotatedCertificates(manager.client, {
    namespace,
    name: "hooks-tls",
    configurations: webhookConfigurations(router.handlers, { name, service: { name, namespace } }),
    isLeader: () => manager.isLeader,
    clock,
    log: silentLog,
  });
  let served: WebhookServer | undefined;
  manager.webhooks(async (signal) => {
    const options = { certificates, clock, signal, host: "127.0.0.1", port: 0 };
    served = await serveWebhooks(router, options);
    return served;
  });
  const stop = new AbortController();
  const running = manager.run(stop.signal);
  await clock.advance(1);
  const ready = async () => (await fetch(`http://127.0.0.1:${manager.port}/readyz`)).status;
  expect([served, await ready()]).toEqual([undefined, 503]);

  await clock.advance(9000);
  expect(await ready()).toBe(503);
  await clock.advance(6000);
  expect([manager.isLeader, await ready()]).toEqual([false, 200]);
  await clock.advance(90_000);
  expect(manager.isLeader).toBe(true);
  const authority = certificates.current?.authority ?? "";
  expect(await call(served!.port, authority)).toBe(404);
  const { webhooks } = await manager.client.resource(validatingwebhookconfigurations).get(name);
  expect(atob(webhooks?.[0]?.clientConfig.caBundle ?? "")).toBe(authority);

  stop.abort();
  await clock.advance(1);
  expect(await ready()).toBe(503);
  expect(await call(served!.port, authority)).toBe(404);
  await clock.advance(10_000);
  expect(await running).toEqual({ by: "abort" });
  expect(clock.pendingTimers).toBe(0);
});
