import assert from "node:assert/strict";
import { dirname } from "node:path";
import { ConditionNotMetError, LeftRunningError, testCluster } from "@listwatch/testing";
import type { Binaries } from "./binaries.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const widgets = { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" };
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: anything } }],
  },
};
const widget = {
  apiVersion: "example.com/v1",
  kind: "Widget",
  metadata: { namespace: "shop", name: "one" },
};

/** Checks `testCluster({ server: "real" })`, which starts a second API server. */
export async function runTestingChecks({ kubeApiServer }: Binaries): Promise<Counts> {
  const before = process.env["KUBEBUILDER_ASSETS"];
  process.env["KUBEBUILDER_ASSETS"] = dirname(kubeApiServer);
  const counts = { passed: 0, failed: 0 };
  try {
    for (const [name, run] of Object.entries(checks)) {
      try {
        await run();
        console.log(`ok   testing: ${name}`);
        counts.passed++;
      } catch (error) {
        console.log(`FAIL testing: ${name}: ${describe(error)}`);
        counts.failed++;
      }
    }
  } finally {
    if (before === undefined) delete process.env["KUBEBUILDER_ASSETS"];
    else process.env["KUBEBUILDER_ASSETS"] = before;
  }
  return counts;
}

const checks: Readonly<Record<string, () => Promise<void>>> = {
  "a cluster with a real server runs a manager on definitions and objects of the test":
    async () => {
      await using cluster = await testCluster({
        server: "real",
        definitions: [definition],
        objects: [widget],
      });
      const manager = cluster.manager({ name: "copier" });
      manager.controller({
        name: "copies",
        for: widgets,
        reconcile: async (key) => {
          const metadata = { namespace: "shop", name: `copy-${key.split("/")[1]}` };
          const copies = cluster.client.resource(maps);
          await copies.apply({ metadata, data: { of: key } }, { fieldManager: "copier" });
        },
      });
      cluster.run("the operator", (signal) => manager.run(signal));
      const copy = await cluster.until((state) => state.get(maps, "shop/copy-one"));
      assert.deepEqual(Reflect.get(copy, "data"), { of: "shop/one" });
      const unmet = cluster.until((state) => state.get(maps, "shop/none"), { timeoutMs: 300 });
      await assert.rejects(unmet, ConditionNotMetError);
      await assert.rejects(unmet, /of real time; last seen: nothing/);
      await assert.rejects(cluster.advance(1000), { code: "LW_UNSUPPORTED" });
      await assert.rejects(cluster.settle(), { code: "LW_UNSUPPORTED" });
      assert.throws(() => cluster.server, { code: "LW_UNSUPPORTED" });
    },

  "a part that goes on after the end of the test fails it": async () => {
    const cluster = await testCluster({ server: "real" });
    const watch = new Request("https://kubernetes.default.svc/api/v1/pods?watch=1");
    const answer = await cluster.connection.fetch?.(watch);
    void answer?.body
      ?.getReader()
      .read()
      .catch(() => undefined);
    await assert.rejects(cluster.stop(), LeftRunningError);
  },

  "a cluster without the programs is refused with the reason": async () => {
    const assets = process.env["KUBEBUILDER_ASSETS"];
    delete process.env["KUBEBUILDER_ASSETS"];
    try {
      await assert.rejects(testCluster({ server: "real" }), /KUBEBUILDER_ASSETS/);
    } finally {
      process.env["KUBEBUILDER_ASSETS"] = assets;
    }
  },
};
