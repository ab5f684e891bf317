// Runs programs of @kubernetes/client-node, with one changed import, and its KubeConfig, against a
// real API server.
import assert from "node:assert/strict";
import { KubeConfig, type V1ConfigMapList } from "@kubernetes/client-node";
import { connectKubeConfig, makeInformer } from "@listwatch/client-node";
import {
  followPods,
  followSelectedPods,
  readCache,
  type ProgramParts,
} from "../../support/client-node-programs.ts";
import { check } from "./checks.ts";
import { makeScene } from "./cluster.ts";

const config = new KubeConfig();
config.loadFromDefault();
await using connection = connectKubeConfig(config);
const { maps, namespace } = await makeScene(connection, "client-node");

await check("a connection of a KubeConfig reads and writes", async () => {
  await maps.create({ metadata: { namespace, name: "made" } });
  assert.equal((await maps.get(`${namespace}/made`)).metadata.name, "made");
});

await check("an informer that lists the path itself follows it", async () => {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const never = (): Promise<V1ConfigMapList> => Promise.reject(new Error("expected no call"));
  const informer = makeInformer(config, path, never, undefined, { list: "path" });
  const added = Promise.withResolvers<void>();
  informer.on("add", (map) => {
    if (map.metadata?.name === "made-later") added.resolve();
  });
  await informer.start();
  assert.ok(informer.get("made", namespace) !== undefined);
  await maps.create({ metadata: { namespace, name: "made-later" } });
  await added.promise;
  await informer.stop();
});

const make: ProgramParts["make"] = (...values) => makeInformer(...values);
const parts = { config, make, namespace };

// The programs write over client-node's transport.
if ("Bun" in globalThis) console.log("note client-node trusts no private authority on Bun");
else await checkPrograms();

async function checkPrograms(): Promise<void> {
  await check("a program prints what happens to pods", async () => {
    const lines = await followPods(parts);
    for (const line of ["added first", "added second", "updated first api", "deleted second"]) {
      assert.ok(lines.includes(line), `expected ${line}, got ${lines.join(", ")}`);
    }
  });

  await check("a program prints what a label selector selects", async () => {
    const lines = await followSelectedPods(parts);
    assert.deepEqual(lines, ["connected", "added selected"]);
  });

  await check("a program reads a cache by namespace and by name", async () => {
    const lines = await readCache(parts);
    assert.ok(lines[0]?.split(",").includes("cached"), lines.join());
    assert.deepEqual(lines.slice(1), ["web", "not there"]);
  });
}
