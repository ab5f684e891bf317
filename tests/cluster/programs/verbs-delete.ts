import assert from "node:assert/strict";
import { InvalidNameError, isConflict, isNotFound } from "@listwatch/client";
import { check, failureOf } from "./checks.ts";
import type { Scene } from "./cluster.ts";

export async function checkDeletes({ maps, namespace }: Scene): Promise<void> {
  const make = (name: string, more = {}) => maps.create({ metadata: { namespace, name, ...more } });

  await check("delete removes an object; another one finds nothing", async () => {
    await make("gone");
    await maps.delete(`${namespace}/gone`, { propagationPolicy: "Background" });
    assert.ok(isNotFound(await failureOf(maps.get(`${namespace}/gone`))));
    assert.ok(isNotFound(await failureOf(maps.delete(`${namespace}/gone`))));
  });

  await check("delete of another object by its uid or version fails with Conflict", async () => {
    const { metadata } = await make("kept");
    const key = `${namespace}/kept` as const;
    assert.ok(isConflict(await failureOf(maps.delete(key, { uid: "other" }))));
    assert.ok(isConflict(await failureOf(maps.delete(key, { resourceVersion: "1" }))));
    await maps.delete(key, { dryRun: true });
    assert.equal((await maps.get(key)).metadata.uid, metadata.uid);
    await maps.delete(key, { uid: metadata.uid });
  });

  await check("delete marks an object with finalizers, which a patch lets go", async () => {
    const key = `${namespace}/held` as const;
    await make("held", { finalizers: ["example.com/held"] });
    const marked = await maps.delete(key);
    assert.ok((marked.metadata as { deletionTimestamp?: string }).deletionTimestamp);
    await maps.patch(key, { metadata: { finalizers: null } });
    assert.ok(isNotFound(await failureOf(maps.get(key))));
  });

  await check("deleteCollection deletes what a selector finds, and no more", async () => {
    await make("swept-1", { labels: { swept: "yes" } });
    await make("swept-2", { labels: { swept: "yes" } });
    await make("unswept", { labels: { swept: "no" } });
    await maps.deleteCollection({ namespace, labelSelector: "swept=yes" });
    const { items } = await maps.list({ namespace, labelSelector: "swept" });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["unswept"],
    );
  });

  await check("names that are no part of a path are refused before anything is sent", async () => {
    assert.ok((await failureOf(maps.get(`${namespace}/..`))) instanceof InvalidNameError);
  });
}
