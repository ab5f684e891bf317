import assert from "node:assert/strict";
import { ensureDefinition, type StatusError } from "@listwatch/client";
import { check, failureOf } from "./checks.ts";
import { clusterScoped, namespaced, type Scene } from "./cluster.ts";

export async function checkDefinitions({ client, info, namespace }: Scene): Promise<void> {
  const group = `${info.runtime}.example.com`;
  const widgets = client.resource(namespaced(group, "v1", "widgets", "Widget"));
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const definition = {
    metadata: { name: `widgets.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: {
        plural: "widgets",
        singular: "widget",
        kind: "Widget",
        shortNames: [`${info.runtime}wd`],
      },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
          },
          schema: { openAPIV3Schema: { type: "object", properties: { spec: open, status: open } } },
        },
      ],
    },
  };

  await check("ensureDefinition returns when objects can be written", async () => {
    await ensureDefinition(client, definition);
    const created = await widgets.create({
      metadata: { namespace, name: "one" },
      spec: { replicas: 1 },
    });
    assert.equal(created.apiVersion, `${group}/v1`);
  });

  await check("ensureDefinition of a definition that is there changes nothing", async () => {
    const resource = clusterScoped(
      "apiextensions.k8s.io",
      "v1",
      "customresourcedefinitions",
      "CustomResourceDefinition",
    );
    const { name } = definition.metadata;
    const before = await client.resource(resource).get(name);
    await ensureDefinition(client, definition);
    const after = await client.resource(resource).get(name);
    assert.equal(after.metadata.generation, before.metadata.generation);
  });

  await check("custom resources have a status and a scale", async () => {
    const key = `${namespace}/one` as const;
    await widgets.scale(key, 5);
    const scaled = await widgets.get(key);
    assert.equal(scaled.spec.replicas, 5);
    const status = { replicas: 5 };
    const updated = await widgets.updateStatus({ ...scaled, spec: {}, status });
    assert.deepEqual(updated.spec, { replicas: 5 });
    assert.deepEqual(updated.status, status);
  });

  await check("strategic patches of custom resources are refused with 415", async () => {
    const options = { type: "strategic" } as const;
    const failure = await failureOf(widgets.patch(`${namespace}/one`, { spec: {} }, options));
    assert.equal((failure as StatusError).httpCode, 415);
  });

  await check("discovery finds a definition that was made after it was asked", async () => {
    const found = await client.discovery.forKind({ apiVersion: `${group}/v1`, kind: "Widget" });
    assert.equal(found?.resource, "widgets");
    assert.equal((await client.discovery.forResource(`${info.runtime}wd`))?.group, found.group);
  });
}
