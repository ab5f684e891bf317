// Own writes and the fence of a leader against a real API server.
import assert from "node:assert/strict";
import { createClient, type Connection } from "@listwatch/client";
import { Controller, LeaderElector } from "@listwatch/controller";
import { silentLog } from "@listwatch/core-fifo";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { connect } from "listwatch/node";
import { check, failureOf } from "./checks.ts";
import { configMaps, makeScene, namespaced } from "./cluster.ts";

const leases = namespaced("coordination.k8s.io", "v1", "leases", "Lease");
const counters = 8;
const target = 25;

await using connection = await connect();
const { client, maps, namespace } = await makeScene(connection, "operators");

await check("each reconcile reads what its key wrote, while others write too", async () => {
  const names = Array.from({ length: counters }, (_, index) => `counter-${index}`);
  await Promise.all(
    names.map((name) => maps.create({ metadata: { namespace, name }, data: { own: "0" } })),
  );
  const stop = new AbortController();
  const factory = new SharedInformerFactory({ connection });
  const informer = factory.informer(configMaps, { namespace });
  const written = new Map<string, number>();
  const older: string[] = [];
  const done = Promise.withResolvers<void>();
  const controller = new Controller({
    client,
    informer,
    workers: 4,
    reconcile: async (key, context) => {
      if (!key.includes("/counter-")) return;
      const own = Number(context.object?.data?.["own"]);
      const last = written.get(key) ?? 0;
      if (own < last) older.push(`${key}: saw ${own} after ${last}`);
      if (own >= target) {
        if ([...written.values()].filter((count) => count >= target).length === counters) {
          done.resolve();
        }
        return;
      }
      await context.client.resource(configMaps).patch(key, { data: { own: String(own + 1) } });
      written.set(key, own + 1);
      // A read by key in the same reconcile.
      const read = Number(informer.lister.get(key).data?.["own"]);
      if (read < own + 1) older.push(`${key}: read ${read} after its write of ${own + 1}`);
    },
  });
  factory.start(stop.signal);
  const ended = controller.run(stop.signal);
  const foreign = (async () => {
    for (let turn = 0; !stop.signal.aborted; turn++) {
      const name = names[turn % counters] ?? "";
      await maps.patch(`${namespace}/${name}`, { data: { foreign: String(turn) } });
    }
  })();
  await done.promise;
  stop.abort();
  await Promise.all([ended, foreign]);
  await factory[Symbol.asyncDispose]();
  assert.deepEqual(older, []);
  const { items } = await maps.list({ namespace });
  const values = items.filter(({ data }) => data?.["own"] !== undefined);
  assert.deepEqual(new Set(values.map(({ data }) => data?.["own"])), new Set([String(target)]));
});

await check("a leader whose lease another takes writes nothing more, and rejoins", async () => {
  let sent = 0;
  const counting: Connection = {
    ...connection,
    server: connection.server,
    fetch: (request) => {
      if (request.url.includes("/configmaps")) sent++;
      return connection.fetch(request);
    },
  };
  const lease = { namespace, name: "operator" };
  const elector = new LeaderElector({
    client,
    lease,
    onLost: "rejoin",
    limits: { leaseDurationMs: 3000, renewDeadlineMs: 2000, retryPeriodMs: 500 },
    telemetry: { log: silentLog },
  });
  const fenced = elector.guard(createClient(counting)).resource(configMaps);
  const write = (name: string) => fenced.create({ metadata: { namespace, name } });
  const standby = await failureOf(write("before"));
  assert.equal(standby.name, "NotLeadingError");
  assert.equal(sent, 0);
  const stop = new AbortController();
  const running = elector.run(stop.signal);
  await elector.lead(async ({ lost }) => {
    await write("as-leader");
    assert.equal(sent, 1);
    const ended = new Promise((resolve) => lost.addEventListener("abort", resolve));
    await client.resource(leases).patch(`${namespace}/operator`, {
      spec: { holderIdentity: "another", renewTime: new Date().toISOString().replace("Z", "000Z") },
    });
    await ended;
    const former = await failureOf(write("as-former-leader"));
    assert.equal(former.name, "LeadershipLostError");
    assert.equal(sent, 1);
  });
  // The other candidate never renews: the lease is free after its duration.
  await elector.lead(() => write("in-the-next-term"));
  assert.equal(sent, 2);
  stop.abort();
  await running;
  assert.equal((await failureOf(write("after-the-stop"))).name, "NotLeadingError");
  const names = (await maps.list({ namespace })).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(
    names.filter((name) => name?.includes("leader") === true || name?.includes("term") === true),
    ["as-leader", "in-the-next-term"],
  );
});
