import { expect, test } from "vitest";
import { formatRoles, type UsedRight } from "../../src/index.ts";

const account = "shop/keeper";
const used = (
  name: string,
  verb: string,
  what: string,
  where: Partial<Pick<UsedRight, "name" | "namespace">> = {},
): UsedRight => {
  const [group = "", resource = ""] = what.split(" ");
  return { account, test: name, verb, group, resource, namespace: "", name: "", ...where };
};
const rulesIn = (text: string): string[] =>
  text.split("\n").filter((line) => line.startsWith("  #") || line.startsWith("    "));

test("a program that lists all namespaces gets a ClusterRole without names", () => {
  const text = formatRoles([
    used("lists", "list", " configmaps"),
    used("lists", "watch", " configmaps"),
    used("writes", "patch", "example.com carts/status", { namespace: "a", name: "x" }),
    used("writes", "delete", " configmaps", { namespace: "b", name: "y" }),
  ]);
  expect(text).toBe(`apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: keeper
rules:
  # delete: writes
  # list, watch: lists
  - apiGroups: [""]
    resources: [configmaps]
    verbs: [delete, list, watch]
  # patch: writes
  - apiGroups: [example.com]
    resources: [carts/status]
    verbs: [patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: keeper
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: keeper
subjects:
  - kind: ServiceAccount
    name: keeper
    namespace: shop
`);
});

test("a program that lists namespaces gets a Role in each of them", () => {
  const text = formatRoles([
    used("t", "list", " configmaps", { namespace: "b" }),
    used("t", "list", " configmaps", { namespace: "a" }),
    used("t", "create", " configmaps", { namespace: "a" }),
  ]);
  expect(text.match(/^(kind|  namespace|    verbs): .*/gm)).toEqual([
    "kind: Role",
    "  namespace: a",
    "    verbs: [create, list]",
    "kind: RoleBinding",
    "  namespace: a",
    "kind: Role",
    "  namespace: b",
    "    verbs: [list]",
    "kind: RoleBinding",
    "  namespace: b",
  ]);
});

test("an election needs all verbs of its lease, and names it", () => {
  const lease = "coordination.k8s.io leases";
  const own = { namespace: "shop", name: "keeper" };
  const text = formatRoles([
    used("leads", "get", lease, own),
    used("leads", "create", lease, { namespace: "shop" }),
  ]);
  expect(rulesIn(text)).toEqual([
    "  # create: leads (leader election)",
    "    resources: [leases]",
    "    verbs: [create]",
    "  # get, update: leads (leader election)",
    "    resources: [leases]",
    "    resourceNames: [keeper]",
    "    verbs: [get, update]",
    "    name: keeper",
    "    namespace: shop",
  ]);
});

test("a replica that records its certificate needs all verbs of records, whose names differ", () => {
  const lease = "coordination.k8s.io leases";
  const name = "keeper-webhooks-0f0e8f5e-6a53-4c53-a7a5-9d2c3a1b7e44";
  const text = formatRoles([
    used("serves", "patch", lease, { namespace: "shop", name }),
    used("serves", "create", lease, { namespace: "shop", name }),
    used("serves", "get", lease, { namespace: "shop", name: "keeper" }),
  ]);
  expect(rulesIn(text).slice(0, 6)).toEqual([
    "  # create, delete, list, patch: serves (certificate)",
    "    resources: [leases]",
    "    verbs: [create, delete, list, patch]",
    "  # get, update: serves (leader election)",
    "    resources: [leases]",
    "    resourceNames: [keeper]",
  ]);
});

test("a program that records one event may also count the next ones", () => {
  const text = formatRoles([used("t", "create", "events.k8s.io events", { namespace: "a" })]);
  expect(rulesIn(text)).toContain("    verbs: [create, patch]");
});

test("a Secret in the namespace of the account and a webhook configuration are named", () => {
  const text = formatRoles([
    used("t", "watch", " secrets", { namespace: "shop", name: "tls" }),
    used("t", "get", " secrets", { namespace: "a", name: "of-a-test" }),
    used("t", "patch", "admissionregistration.k8s.io validatingwebhookconfigurations", {
      name: "keeper",
    }),
  ]);
  expect(rulesIn(text)).toContain("    resourceNames: [tls]");
  expect(rulesIn(text)).toContain("    resourceNames: [keeper]");
  expect(text).not.toContain("of-a-test");
});

test("a program that streams its first list may also list", () => {
  const text = formatRoles([used("t", "watch", " pods")]);
  expect(rulesIn(text)).toContain("    verbs: [list, watch]");
});

test("a Role has no rule that the ClusterRole has", () => {
  const text = formatRoles([
    used("t", "create", "events.k8s.io events", { namespace: "shop" }),
    used("t", "create", "events.k8s.io events", { namespace: "a" }),
  ]);
  expect(text).not.toContain("kind: Role\n");
});

test("the text does not depend on the order of the requests", () => {
  const rights = [
    used("b", "list", " pods"),
    used("a", "list", " pods"),
    used("a", "create", " pods", { namespace: "x" }),
    used("b", "get", "apps deployments", { namespace: "y", name: "z" }),
  ];
  expect(formatRoles(rights.toReversed())).toBe(formatRoles(rights));
});

test("names that YAML reads as other values are quoted", () => {
  const text = formatRoles([{ ...used("t", "list", " pods"), account: "on/7" }]);
  expect(text).toContain('  name: "7"');
  expect(text).toContain('namespace: "on"');
});
