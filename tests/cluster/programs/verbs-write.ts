import assert from "node:assert/strict";
import {
  createClient,
  isAlreadyExists,
  isConflict,
  type JsonPatch,
  type StatusError,
} from "@listwatch/client";
import { connect } from "listwatch/node";
import { check, failureOf } from "./checks.ts";
import { configMaps, namespaced, type Scene } from "./cluster.ts";

export async function checkWrites({ client, maps, namespace }: Scene): Promise<void> {
  const deployments = client.resource(namespaced("apps", "v1", "deployments", "Deployment"));
  const draft = (name: string, data = {}) => ({ metadata: { namespace, name }, data });

  await check("create returns the object, and get the same", async () => {
    const created = await maps.create(draft("a", { x: "1" }));
    assert.ok(created.metadata.uid);
    assert.deepEqual(await maps.get(`${namespace}/a`), created);
  });

  await check("create of a name that is taken fails with AlreadyExists", async () => {
    assert.ok(isAlreadyExists(await failureOf(maps.create(draft("a")))));
  });

  await check("create names an object by generateName", async () => {
    const created = await maps.create({ metadata: { namespace, generateName: "made-" } });
    assert.match(created.metadata.name ?? "", /^made-.{5}$/);
  });

  await check("create refuses unknown fields, or warns of them, as asked", async () => {
    const odd = { ...draft("odd"), unknown: true } as never;
    const failure = (await failureOf(maps.create(odd))) as StatusError;
    assert.match(failure.message, /unknown field "unknown"/);
    const warnings: string[] = [];
    await using connection = await connect();
    const warned = createClient(connection, {
      fieldValidation: "Warn",
      onWarning: ({ text }) => void warnings.push(text),
    });
    await warned.resource(configMaps).create(odd);
    assert.match(warnings.join(), /unknown field "unknown"/);
  });

  await check("create in a dry run stores nothing", async () => {
    await maps.create(draft("dry"), { dryRun: true });
    const failure = (await failureOf(maps.get(`${namespace}/dry`))) as StatusError;
    assert.equal(failure.reason, "NotFound");
  });

  await check("update replaces an object, and fails with Conflict for an old one", async () => {
    const before = await maps.get(`${namespace}/a`);
    const updated = await maps.update({ ...before, data: { x: "2" } });
    assert.notEqual(updated.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.ok(isConflict(await failureOf(maps.update({ ...before, data: { x: "3" } }))));
    assert.equal((await maps.get(`${namespace}/a`)).data?.["x"], "2");
  });

  await check("patch merges", async () => {
    const patched = await maps.patch(`${namespace}/a`, { data: { x: null, y: "1" } });
    assert.deepEqual(patched.data, { y: "1" });
  });

  await check("patch with an old resourceVersion fails with Conflict", async () => {
    const patch = { metadata: { resourceVersion: "1" }, data: { z: "1" } };
    assert.ok(isConflict(await failureOf(maps.patch(`${namespace}/a`, patch))));
  });

  await check("patch takes JSON Patch, and its tests", async () => {
    const change: JsonPatch = [
      { op: "test", path: "/data/y", value: "1" },
      { op: "replace", path: "/data/y", value: "2" },
    ];
    const patched = await maps.patch(`${namespace}/a`, change, { type: "json" });
    assert.deepEqual(patched.data, { y: "2" });
    const failure = await failureOf(maps.patch(`${namespace}/a`, change, { type: "json" }));
    assert.equal((failure as StatusError).httpCode, 422);
  });

  await check("patch takes strategic merge patches of built-in kinds", async () => {
    const labels = { app: "web" };
    const container = (name: string) => ({ name, image: "example" });
    const template = { metadata: { labels }, spec: { containers: [container("one")] } };
    await deployments.create({
      metadata: { namespace, name: "web" },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    });
    const patch = { spec: { template: { spec: { containers: [container("two")] } } } };
    const patched = await deployments.patch(`${namespace}/web`, patch, { type: "strategic" });
    const names = patched.spec.template.spec.containers.map((one: { name: string }) => one.name);
    assert.deepEqual(names.toSorted(), ["one", "two"]);
  });

  await check("scale sets the replicas, and the subresource reads them", async () => {
    await deployments.scale(`${namespace}/web`, 3);
    assert.equal((await deployments.get(`${namespace}/web`)).spec.replicas, 3);
    const scale = deployments.subresource("scale");
    const found = (await scale.get(`${namespace}/web`)) as { spec: { replicas: number } };
    assert.equal(found.spec.replicas, 3);
    await scale.update(`${namespace}/web`, { ...found, spec: { replicas: 4 } } as never);
    assert.equal((await deployments.get(`${namespace}/web`)).spec.replicas, 4);
  });

  await check("updateStatus and patchStatus change the status alone", async () => {
    const before = await deployments.get(`${namespace}/web`);
    const { generation } = before.metadata;
    const status = { replicas: 2, observedGeneration: generation };
    const updated = await deployments.updateStatus({
      ...before,
      spec: { ...before.spec, replicas: 9 },
      status,
    });
    assert.equal(updated.spec.replicas, 4);
    assert.equal(updated.status.replicas, 2);
    const patched = await deployments.patchStatus(`${namespace}/web`, { status: { replicas: 3 } });
    assert.equal(patched.status.replicas, 3);
    assert.equal(patched.metadata.generation, generation);
  });
}
