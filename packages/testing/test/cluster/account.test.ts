import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test } from "vitest";
import { simulate, testCluster, type Life } from "../../src/index.ts";

const account = "shop/keeper";
const role = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "keeper" },
  rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create"] }],
};
const binding = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "keeper" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "keeper" },
  subjects: [{ kind: "ServiceAccount", name: "keeper", namespace: "shop" }],
};

test("a program with an account has the rights of its roles, and the test has all", async () => {
  const cluster = await testCluster({ account, objects: [role, binding] });
  const maps = createClient(cluster.connection, { clock: cluster.clock }).resource(configmaps);
  await maps.create({ metadata: { namespace: "a", name: "made" } });
  await expect(maps.list({ namespace: "a" })).rejects.toThrow(
    'User "system:serviceaccount:shop:keeper" cannot list resource "configmaps"',
  );
  const { items } = await cluster.client.resource(configmaps).list({ namespace: "a" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["made"]);
  await expect(cluster.stop()).rejects.toThrow(
    'without the right to it: configmaps is forbidden: User "system:serviceaccount:shop:keeper"',
  );
});

test("a 403 that no role decides, such as that of a fault, fails no test", async () => {
  await using cluster = await testCluster({ account, objects: [role, binding] });
  cluster.server.control.faults.add({
    match: { resource: "configmaps" },
    action: { type: "status", status: { code: 403 } },
  });
  const maps = createClient(cluster.connection, { clock: cluster.clock }).resource(configmaps);
  const created = maps.create({ metadata: { namespace: "a", name: "made" } });
  await expect(created).rejects.toThrow("a fault was injected");
});

test("the connection of an account has the namespace of the account, as in a pod", async () => {
  await using cluster = await testCluster({ account });
  expect(cluster.connection.namespace).toBe("shop");
});

test("a simulated program with an account has the rights of its roles", async () => {
  const scenario = (rules: readonly object[]) => ({
    name: "a program that leaves a mark",
    account,
    objects: [{ ...role, rules }, binding],
    start: async ({ clock, connection, signal }: Life) => {
      const maps = createClient(connection, { clock }).resource(configmaps);
      await maps.create({ metadata: { namespace: "a", name: "mark" } }, { signal });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
    eventually: {
      "the mark is there": (state: { get(resource: typeof configmaps, key: string): unknown }) =>
        state.get(configmaps, "a/mark") !== undefined,
    },
  });
  const options = { seeds: 1, faults: "none" } as const;
  await simulate(scenario(role.rules), options);
  await expect(simulate(scenario([]), options)).rejects.toThrow(
    'broke "rights: create configmaps"',
  );
});

test("a request without a right breaks a run that reaches its goal", async () => {
  const scenario = {
    name: "a program that may not look",
    account,
    objects: [role, binding],
    start: async ({ clock, connection, signal }: Life) => {
      const maps = createClient(connection, { clock }).resource(configmaps);
      await maps.get("a/mark").catch(() => undefined);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    },
  };
  const simulation = simulate(scenario, { seeds: 1, faults: "none" });
  await expect(simulation).rejects.toThrow(
    'broke "rights: get configmaps" with seed 1: replica-0: configmaps "mark" is forbidden',
  );
});

test("an account without a namespace is refused", async () => {
  await expect(testCluster({ account: "keeper" })).rejects.toThrow(
    "a service account as NAMESPACE/NAME",
  );
});
