import assert from "node:assert/strict";
import { isConflict, type StatusError } from "@listwatch/client";
import { check, failureOf } from "./checks.ts";
import type { Scene } from "./cluster.ts";

export async function checkApplies({ maps, namespace }: Scene): Promise<void> {
  const key = `${namespace}/applied` as const;
  const wanted = (data: Readonly<Record<string, string>>) => ({
    metadata: { namespace, name: "applied" },
    data,
  });

  await check("apply creates, and takes away what is left out", async () => {
    await maps.apply(wanted({ a: "1", b: "1" }), { fieldManager: "first" });
    await maps.apply(wanted({ a: "2" }), { fieldManager: "first" });
    assert.deepEqual((await maps.get(key)).data, { a: "2" });
  });

  await check("apply meets the fields of others with Conflict, unless forced", async () => {
    const failure = await failureOf(maps.apply(wanted({ a: "3" }), { fieldManager: "second" }));
    assert.ok(isConflict(failure));
    const { details } = (failure as StatusError).status as { details?: { causes?: unknown } };
    assert.match(JSON.stringify(details?.causes), /first.*\.data\.a|\.data\.a.*first/);
    await maps.apply(wanted({ a: "3" }), { fieldManager: "second", force: true });
    assert.deepEqual((await maps.get(key)).data, { a: "3" });
  });

  await check("apply takes an object as get returns it", async () => {
    const found = await maps.get(key);
    assert.ok((found.metadata.managedFields?.length ?? 0) > 0);
    const metadata = { ...found.metadata, name: "applied", namespace };
    const applied = await maps.apply({ ...found, metadata, data: { a: "4" } }, { force: true });
    assert.deepEqual(applied.data, { a: "4" });
  });

  await check("apply that changes nothing leaves the resourceVersion", async () => {
    const options = { fieldManager: "third", force: true };
    const first = await maps.apply(wanted({ a: "5" }), options);
    const second = await maps.apply(wanted({ a: "5" }), options);
    assert.equal(second.metadata.resourceVersion, first.metadata.resourceVersion);
  });
}
