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
  await using cluster = await testCluster({ account, objects: [role, binding] });
  const maps = createClient(cluster.connection, { clock: cluster.clock }).resource(configmaps);
  await maps.create({ metadata: { namespace: "a", name: "made" } });
  await expect(maps.list({ namespace: "a" })).rejects.toThrow(
    'User "system:serviceaccount:shop:keeper" cannot list resource "configmaps"',
  );
  const { items } = await cluster.client.resource(configmaps).list({ namespace: "a" });
  expect(items.map(({ metadata }) => metadata.name)).toEqual(["made"]);
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
  await expect(simulate(scenario([]), options)).rejects.toThrow("the mark is there");
});

test("an account without a namespace is refused", async () => {
  await expect(testCluster({ account: "keeper" })).rejects.toThrow(
    "a service account as NAMESPACE/NAME",
  );
});
