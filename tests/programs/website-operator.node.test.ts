import { createClient, createConnection, silentLog, type Connection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { deployments } from "listwatch/resources/apps/v1";
import { events } from "listwatch/resources/events.k8s.io/v1";
import { SimulatedClock } from "listwatch/testing";
import { generateDefinitions } from "@listwatch/resources/generator";
import { expect, test } from "vitest";
import { runOperator } from "./website-operator.ts";
import definition from "./websites.crd.json" with { type: "json" };
import { websites } from "./websites.generated.ts";

test("the types are those of the definition", async () => {
  const source = generateDefinitions([definition], { imports: "listwatch" });
  await expect(source).toMatchFileSnapshot("websites.generated.ts");
});

/** A server, and replicas of the operator that can lose their network. */
function startCluster() {
  const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
  const server = new FakeApiServer({ clock, crds: [definition], seed: 1 });
  const connection = createConnection({ server: "http://fake", fetch: server.fetch });
  const dns = new Map<string, string>();
  const leaders: string[] = [];
  const startReplica = (identity: string) => {
    let isCutOff = false;
    const ownConnection: Connection = {
      ...connection,
      fetch: async (request) => {
        if (isCutOff) throw new TypeError("no route to host");
        return connection.fetch(request);
      },
    };
    const stop = new AbortController();
    const ended = runOperator(
      {
        connection: ownConnection,
        identity,
        dns,
        clock,
        log: silentLog, // The failures of the replica without a network are intended.
        onLeading: () => leaders.push(identity),
      },
      stop.signal,
    ).then(
      () => "stopped",
      (error: unknown) => (error instanceof Error ? error.name : "failed"),
    );
    const cutOff = (): void => {
      isCutOff = true;
    };
    return { cutOff, ended, stop };
  };
  return {
    client: createClient(connection, { clock }).in("default"),
    clock,
    dns,
    leaders,
    startReplica,
  };
}

test("deploys websites, reports their state, and goes on after the loss of the leader", async () => {
  const { client, clock, dns, leaders, startReplica } = startCluster();
  const websiteClient = client.resource(websites);
  const first = startReplica("replica-1");
  await clock.advance(5000);
  const second = startReplica("replica-2");
  await clock.advance(5000);

  const created = await websiteClient.create({
    metadata: { name: "shop" },
    spec: { image: "shop:1", host: "shop.example.com" },
  });
  await clock.advance(1000);
  expect(leaders).toEqual(["replica-1"]);
  expect([...dns]).toEqual([["shop.example.com", created.metadata.uid]]);
  const { metadata, spec } = await client.resource(deployments).get("shop");
  expect(spec.replicas).toBe(2);
  expect((await websiteClient.get("shop")).status).toMatchObject({
    observedGeneration: 1,
    conditions: [{ type: "Ready", status: "False", reason: "RollingOut" }],
  });

  const counts = { replicas: 2, updatedReplicas: 2, availableReplicas: 2, readyReplicas: 2 };
  await client.resource(deployments).patchStatus("shop", {
    status: { observedGeneration: metadata.generation, ...counts },
  });
  await clock.advance(1000);
  const lastTransitionTime = new Date(clock.now() - 1000).toISOString().replace(".000", "");
  expect((await websiteClient.get("shop")).status).toEqual({
    observedGeneration: 1,
    readyReplicas: 2,
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "RolledOut",
        message: "shop runs shop:1",
        observedGeneration: 1,
        lastTransitionTime,
      },
    ],
  });
  const { items } = await client.resource(events).list();
  expect(items.map(({ reason, regarding }) => [reason, regarding?.name])).toEqual([
    ["RolledOut", "shop"],
  ]);

  first.cutOff();
  await websiteClient.patch("shop", { spec: { image: "shop:2" } });
  await clock.advance(30_000);
  expect(await first.ended).toBe("LeadershipLostError");
  expect(leaders).toEqual(["replica-1", "replica-2"]);
  const changed = await client.resource(deployments).get("shop");
  expect(changed.spec.template.spec.containers[0]?.image).toBe("shop:2");

  await websiteClient.delete("shop");
  await clock.advance(1000);
  expect(dns.size).toBe(0);
  expect((await websiteClient.list()).items).toEqual([]);
  second.stop.abort();
  await clock.advance(1000);
  expect(await second.ended).toBe("stopped");
});
