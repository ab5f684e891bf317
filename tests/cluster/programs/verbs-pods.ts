import assert from "node:assert/strict";
import { isNotFound, isTooManyRequests } from "@listwatch/client";
import { check, failureOf } from "./checks.ts";
import { clusterScoped, namespaced, type Scene } from "./cluster.ts";

/** Checks binding, logs and evictions. The node is only an object, with a port for logs. */
export async function checkPods({ client, info, namespace }: Scene): Promise<void> {
  const nodes = client.resource(clusterScoped("", "v1", "nodes", "Node"));
  const pods = client.resource(namespaced("", "v1", "pods", "Pod"));
  const policy = ["policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget"] as const;
  const budgets = client.resource(namespaced(...policy));
  const node = `node-${info.runtime}`;
  const makePod = (name: string, more = {}) =>
    pods.create({
      metadata: { namespace, name, labels: { app: name } },
      spec: { containers: [{ name: "main", image: "example" }], ...more },
    });

  await check("bind puts a pod on a node", async () => {
    await nodes.create({ metadata: { name: node } });
    const addresses = [{ type: "InternalIP", address: "127.0.0.1" }];
    const daemonEndpoints = { kubeletEndpoint: { Port: info.kubeletPort } };
    await nodes.patchStatus(node, { status: { addresses, daemonEndpoints } });
    await makePod("bound");
    await pods.bind(`${namespace}/bound`, node);
    assert.equal((await pods.get(`${namespace}/bound`)).spec.nodeName, node);
  });

  await check(
    "log reads what a container has written, whole, in part and as it comes",
    async () => {
      const key = `${namespace}/bound` as const;
      assert.equal(await (await pods.log(key)).text(), "one\ntwo\nthree\n");
      assert.equal(await (await pods.log(key, { tailLines: 1 })).text(), "three\n");
      const lines: string[] = [];
      const log = await pods.log(key, { container: "main", follow: true });
      for await (const line of log.lines()) lines.push(line);
      assert.deepEqual(lines, ["one", "two", "three"]);
    },
  );

  await check(
    "log of a pod without a node is empty, of one that is not there NotFound",
    async () => {
      await makePod("waiting");
      assert.equal(await (await pods.log(`${namespace}/waiting`)).text(), "");
      assert.ok(isNotFound(await failureOf(pods.log(`${namespace}/missing`))));
    },
  );

  await check("evict deletes a pod that no budget protects", async () => {
    await pods.evict(`${namespace}/waiting`);
    assert.ok(isNotFound(await failureOf(pods.get(`${namespace}/waiting`))));
  });

  await check("evict waits while a disruption budget refuses", async () => {
    const key = `${namespace}/guarded` as const;
    await makePod("guarded", { nodeName: node });
    await pods.patchStatus(key, {
      status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] },
    });
    const selector = { matchLabels: { app: "guarded" } };
    const { metadata } = await budgets.create({
      metadata: { namespace, name: "guard" },
      spec: { minAvailable: 1, selector },
    });
    const allow = (disruptionsAllowed: number) =>
      budgets.patchStatus(`${namespace}/guard`, {
        status: {
          observedGeneration: metadata.generation,
          disruptionsAllowed,
          currentHealthy: 1 + disruptionsAllowed,
          desiredHealthy: 1,
          expectedPods: 1,
        },
      });
    await allow(0);
    const refused = await failureOf(pods.evict(key, { timeoutMs: 1000 }));
    assert.ok(isTooManyRequests(refused), String(refused));
    const evicted = pods.evict(key, { gracePeriodSeconds: 0 });
    await allow(1);
    await evicted;
    assert.ok(isNotFound(await failureOf(pods.get(key))));
  });
}
