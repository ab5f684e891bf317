import assert from "node:assert/strict";
import { waitFor, WaitError, hasCondition, isDeleted } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import { check, failureOf } from "./checks.ts";
import { configMaps, namespaced, type Scene } from "./cluster.ts";

const many = 35;

export async function checkReads({ client, maps, namespace }: Scene): Promise<void> {
  const selection = { namespace, labelSelector: "many=yes" } as const;
  const draft = (name: string) => ({ metadata: { namespace, name, labels: { many: "yes" } } });
  const deployments = client.resource(namespaced("apps", "v1", "deployments", "Deployment"));

  await check("list reads all pages, whatever their size", async () => {
    const names = Array.from({ length: many }, (_, index) => `many-${index}`).toSorted();
    await Promise.all(names.map((name) => maps.create(draft(name))));
    for (const pageSize of [10, 500, 0]) {
      const { items } = await maps.list({ ...selection, pageSize });
      assert.deepEqual(items.map(({ metadata }) => metadata.name ?? "").toSorted(), names);
    }
    const one = await maps.list({ namespace, fieldSelector: "metadata.name=many-7" });
    assert.deepEqual(one.items, [await maps.get(`${namespace}/many-7`)]);
  });

  await check("a client of one namespace takes names without it", async () => {
    const inside = client.in(namespace).resource(configMaps);
    assert.deepEqual(await inside.get("many-7"), await maps.get(`${namespace}/many-7`));
    const { items } = await inside.list({ labelSelector: "many=yes" });
    assert.equal(items.length, many);
  });

  await check("items yields objects of several pages", async () => {
    let count = 0;
    for await (const { kind } of maps.items({ ...selection, pageSize: 10 })) {
      assert.equal(kind, "ConfigMap");
      count++;
    }
    assert.equal(count, many);
  });

  await check("watch yields changes after a list", async () => {
    const { resourceVersion } = await maps.list(selection);
    const events = watchUntil(3, { ...selection, resourceVersion });
    await maps.create(draft("seen"));
    await maps.patch(`${namespace}/seen`, { data: { x: "1" } });
    await maps.delete(`${namespace}/seen`);
    assert.deepEqual(await events, ["ADDED seen", "MODIFIED seen", "DELETED seen"]);
  });

  await check("watch without a resourceVersion yields what there is", async () => {
    const events = await watchUntil(many, selection);
    assert.equal(new Set(events.map((event) => event.replace("ADDED ", ""))).size, many);
  });

  await check("watch ends after timeoutSeconds, and by its signal", async () => {
    for await (const event of maps.watch({ ...selection, timeoutSeconds: 1 })) assert.ok(event);
    const stop = new AbortController();
    const reason = new Error("enough");
    const watching = (async () => {
      for await (const event of maps.watch({ ...selection, signal: stop.signal })) {
        assert.ok(event);
        stop.abort(reason);
      }
    })();
    assert.equal(await failureOf(watching), reason);
  });

  await check("watch from a resourceVersion that is gone says that it has expired", async () => {
    const watching = (async () => {
      for await (const { type, object } of maps.watch({ ...selection, resourceVersion: "1" })) {
        assert.equal(type, "ERROR");
        throw Object.assign(new Error("expired"), { object });
      }
    })();
    const failure = await failureOf(watching);
    const code = "object" in failure ? (failure.object as { code?: number }).code : undefined;
    assert.ok(isExpired(failure) || code === 410, failure.message);
  });

  await check("waitFor waits for a condition, and over a deletion", async () => {
    const key = `${namespace}/web` as const;
    const waiting = waitFor(deployments, key, hasCondition("Available"), { timeoutMs: 30_000 });
    const observedGeneration = (await deployments.get(key)).metadata.generation;
    const conditions = [{ type: "Available", status: "True" }];
    await deployments.patchStatus(key, { status: { observedGeneration, conditions } });
    assert.equal((await waiting)?.metadata.name, "web");
    const gone = waitFor(deployments, key, isDeleted, { timeoutMs: 30_000 });
    await deployments.delete(key);
    assert.equal(await gone, undefined);
  });

  await check("waitFor says what it has seen last when the time is over", async () => {
    const options = { timeoutMs: 500 };
    const failure = await failureOf(
      waitFor(maps, `${namespace}/a`, hasCondition("Ready"), options),
    );
    assert.ok(failure instanceof WaitError);
    assert.match(failure.message, /not within 500 ms; last seen: /);
  });

  await check("discovery finds resources by kind, by short name and by group", async () => {
    const { discovery } = client;
    const { resources, stale } = await discovery.resources();
    assert.ok(resources.length > 50);
    assert.deepEqual(stale, []);
    const found = await discovery.forKind({ apiVersion: "apps/v1", kind: "Deployment" });
    assert.equal(found?.resource, "deployments");
    const forms = ["deploy", "Deployment", "deployments.apps", "deployments.v1.apps"];
    for (const form of forms) assert.deepEqual(await discovery.forResource(form), found);
    assert.equal(await discovery.preferredVersion("apps"), "v1");
    assert.equal(await discovery.forResource("nothing"), undefined);
  });

  await check("request asks for what has no method", async () => {
    const version = await client.request({ method: "GET", path: "/version" });
    assert.match(String((version as { gitVersion?: string }).gitVersion), /^v1\.\d+\.\d+/);
  });

  async function watchUntil(
    count: number,
    options: Parameters<typeof maps.watch>[0],
  ): Promise<readonly string[]> {
    const events: string[] = [];
    for await (const { type, object } of maps.watch(options)) {
      events.push(`${type} ${(object as { metadata: { name?: string } }).metadata.name}`);
      if (events.length === count) break;
    }
    return events;
  }
}
