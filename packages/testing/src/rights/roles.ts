import { namespaceOf } from "./account.ts";
import type { UsedRight } from "./used-right.ts";

/** A part of listwatch in a program, and the rights that it has to have together. */
interface Need {
  readonly group: string;
  readonly resource: string;
  /** Verbs of which tests may show only some. */
  readonly verbs: readonly string[];
  /** Whether the part always uses the same objects, which the rule then names. */
  readonly isNamed: boolean;
  /** Names of the objects, where those of several parts are of one resource. @default all names */
  readonly names?: RegExp;
  readonly purpose: string;
}

/** Needs of the manager and of webhooks. A test that uses one verb of a need shows the need. */
const needs: readonly Need[] = [
  {
    // Each replica that serves webhooks records its certificate under a random name.
    group: "coordination.k8s.io",
    resource: "leases",
    verbs: ["create", "delete", "list", "patch"],
    isNamed: false,
    names: /-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/,
    purpose: "certificate",
  },
  {
    group: "coordination.k8s.io",
    resource: "leases",
    verbs: ["create", "get", "update"],
    isNamed: true,
    purpose: "leader election",
  },
  {
    group: "events.k8s.io",
    resource: "events",
    // A series of equal events is created once and then patched.
    verbs: ["create", "patch"],
    isNamed: false,
    purpose: "events",
  },
  { group: "", resource: "secrets", verbs: [], isNamed: true, purpose: "certificate" },
  ...["mutatingwebhookconfigurations", "validatingwebhookconfigurations"].map((resource) => ({
    group: "admissionregistration.k8s.io",
    resource,
    verbs: [],
    isNamed: true,
    purpose: "caBundle",
  })),
  {
    group: "apiextensions.k8s.io",
    resource: "customresourcedefinitions",
    verbs: [],
    isNamed: true,
    purpose: "caBundle",
  },
];

/** A rule of a role, and the test that shows each verb. */
interface Rule {
  readonly group: string;
  readonly resource: string;
  readonly names: Set<string>;
  /** The first test of each verb. */
  readonly verbs: Map<string, string>;
}

/**
 * Writes the roles that a program needs, as YAML: a Role and a RoleBinding in each namespace that
 * it knows, and a ClusterRole for the rest. A program knows the namespace of its account and those
 * that it lists. The same rights give the same text, in any order.
 *
 * Rules name no objects: their names in tests are those of the tests. The exceptions are the lease,
 * a Secret in the namespace of the account, webhook configurations and definitions, which have the
 * same name in a cluster. Each rule has a comment with the first test that needs it, for each of
 * its verbs.
 *
 * @param rights rights that programs used in tests, as `listwatch rbac` records them
 */
export function formatRoles(rights: Iterable<UsedRight>): string {
  const all = inOrder([...rights]);
  const accounts = [...new Set(all.map(({ account }) => account))].toSorted(compare);
  return accounts
    .flatMap((account) =>
      rolesOf(
        account,
        all.filter((right) => right.account === account),
      ),
    )
    .join("---\n");
}

/** Puts tests that need few rights first: they tell most about a right. */
function inOrder(rights: readonly UsedRight[]): readonly UsedRight[] {
  const counts = new Map<string, number>();
  for (const { test } of rights) counts.set(test, (counts.get(test) ?? 0) + 1);
  return rights.toSorted((left, right) => {
    const difference = (counts.get(left.test) ?? 0) - (counts.get(right.test) ?? 0);
    return difference === 0 ? compare(left.test, right.test) : difference;
  });
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}

function rolesOf(account: string, rights: readonly UsedRight[]): readonly string[] {
  const own = namespaceOf(account);
  const listed = rights.filter(({ verb }) => verb === "list" || verb === "watch");
  const known = new Set([own, ...listed.map(({ namespace }) => namespace)]);
  const scopes = new Map<string, Map<string, Rule>>();
  for (const right of rights) {
    const scope = known.has(right.namespace) ? right.namespace : "";
    const rules = scopes.get(scope) ?? new Map<string, Rule>();
    scopes.set(scope, rules);
    addWithNeed(rules, right, own);
  }
  const everywhere = scopes.get("") ?? new Map<string, Rule>();
  return [...scopes]
    .toSorted(([left], [right]) => compare(left, right))
    .flatMap(([scope, all]) => {
      const rules = [...all.values()].filter((rule) => scope === "" || !isIn(everywhere, rule));
      return rules.length === 0 ? [] : [formatRole(account, scope, rules)];
    });
}

/** Adds a right, and the others that the same part of the program needs. */
function addWithNeed(rules: Map<string, Rule>, right: UsedRight, own: string): void {
  const { group, namespace, resource } = right;
  const need = needs.find(
    (each) =>
      each.group === group && each.resource === resource && (each.names?.test(right.name) ?? true),
  );
  const isNamed = need?.isNamed === true && (namespace === own || namespace === "");
  const name = isNamed ? right.name : "";
  // Without its name nothing is known of the other requests for a named object.
  const others = need === undefined || (isNamed && name === "") ? [] : need.verbs;
  // An informer lists where it cannot stream its first list, such as through an older proxy.
  const lists = right.verb === "watch" ? ["list"] : [];
  const test = need === undefined ? right.test : `${right.test} (${need.purpose})`;
  for (const verb of [right.verb, ...lists, ...others]) {
    // A create has no name when it is authorized.
    add(rules, { group, resource, name: verb === "create" ? "" : name }, verb, test);
  }
}

function add(
  rules: Map<string, Rule>,
  { group, name, resource }: Pick<UsedRight, "group" | "name" | "resource">,
  verb: string,
  test: string,
): void {
  const key = JSON.stringify([group, resource, name !== ""]);
  const rule = rules.get(key) ?? { group, resource, names: new Set(), verbs: new Map() };
  rules.set(key, rule);
  if (name !== "") rule.names.add(name);
  if (!rule.verbs.has(verb)) rule.verbs.set(verb, test);
}

/** Whether the ClusterRole has the rule of a Role. */
function isIn(everywhere: ReadonlyMap<string, Rule>, { group, resource, verbs }: Rule): boolean {
  const wide = everywhere.get(JSON.stringify([group, resource, false]));
  return [...verbs.keys()].every((verb) => wide?.verbs.has(verb));
}

function formatRole(account: string, namespace: string, rules: readonly Rule[]): string {
  const [accountNamespace = "", name = ""] = account.split("/");
  const prefix = namespace === "" ? "Cluster" : "";
  const metadata = ["metadata:", `  name: ${scalar(name)}`];
  if (namespace !== "") metadata.push(`  namespace: ${scalar(namespace)}`);
  const sorted = rules.toSorted(
    (left, right) =>
      Number(isCustom(left.group)) - Number(isCustom(right.group)) ||
      compare(left.group, right.group) ||
      compare(left.resource, right.resource) ||
      left.names.size - right.names.size,
  );
  return `${[
    "apiVersion: rbac.authorization.k8s.io/v1",
    `kind: ${prefix}Role`,
    ...metadata,
    "rules:",
    ...sorted.flatMap(formatRule),
    "---",
    "apiVersion: rbac.authorization.k8s.io/v1",
    `kind: ${prefix}RoleBinding`,
    ...metadata,
    "roleRef:",
    "  apiGroup: rbac.authorization.k8s.io",
    `  kind: ${prefix}Role`,
    `  name: ${scalar(name)}`,
    "subjects:",
    "  - kind: ServiceAccount",
    `    name: ${scalar(name)}`,
    `    namespace: ${scalar(accountNamespace)}`,
  ].join("\n")}\n`;
}

/** Whether a group is not of Kubernetes, where groups without a dot and those of k8s.io are. */
function isCustom(group: string): boolean {
  return group.includes(".") && !group.endsWith(".k8s.io");
}

function formatRule({ group, names, resource, verbs }: Rule): readonly string[] {
  const byTest = new Map<string, string[]>();
  for (const [verb, test] of [...verbs].toSorted(([left], [right]) => compare(left, right))) {
    byTest.set(test, [...(byTest.get(test) ?? []), verb]);
  }
  const comments = [...byTest].map(
    ([test, shown]) => `  # ${shown.join(", ")}: ${test.replaceAll(/\s+/g, " ")}`,
  );
  return [
    ...comments,
    `  - apiGroups: ${list([group])}`,
    `    resources: ${list([resource])}`,
    ...(names.size === 0 ? [] : [`    resourceNames: ${list([...names].toSorted(compare))}`]),
    `    verbs: ${list([...verbs.keys()].toSorted(compare))}`,
  ];
}

function list(values: readonly string[]): string {
  return `[${values.map(scalar).join(", ")}]`;
}

/** Words that YAML 1.1 reads as other values. */
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

/** A string of YAML, quoted where it has to be. */
function scalar(text: string): string {
  return /^[a-z][\w./-]*$/i.test(text) && !reserved.test(text) ? text : JSON.stringify(text);
}
