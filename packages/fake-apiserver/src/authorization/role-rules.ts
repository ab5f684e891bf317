import type { ApiObject } from "../api/api-object.ts";
import type { UserInfo } from "../api/access.ts";
import { accountUsername, mastersGroup } from "../authentication/user-info.ts";
import { field, memoized, objects, text } from "../base/read-fields.ts";
import { formatLabelSelector } from "../selectors/format-label-selector.ts";
import { parseLabelSelector } from "../selectors/label-selector.ts";
import type { Storage } from "../storage/storage.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { basicRules, everything, type GrantedRule } from "./basic-rules.ts";
import { type PolicyRule, readRule } from "./policy-rule.ts";

const group = "rbac.authorization.k8s.io";
const adminRole = "cluster-admin";

/** Rules of a user, and problems of the bindings they come from. */
export interface UserRules {
  readonly granted: readonly GrantedRule[];
  /** Bound roles that do not exist, in the server's words. */
  readonly problems: readonly string[];
}

/** The role that a binding refers to. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
  /** Namespace of the binding, "" for a cluster-wide one. */
  readonly namespace: string;
}

type Stores = Pick<Storage, "store">;

/**
 * Returns the rules of a user in a namespace, or in the whole cluster for "". Reads the bindings
 * each time: a test has few of them, and nothing can be stale.
 */
export function rulesOfUser(storage: Stores, user: UserInfo, namespace: string): UserRules {
  const isMaster = user.groups.includes(mastersGroup);
  const granted: GrantedRule[] = isMaster
    ? everything.map((rule) => ({ rule, reason: "" }))
    : [...basicRules(user)];
  const problems: string[] = [];
  for (const binding of bindingsIn(storage, namespace)) {
    const subject = objects(binding, "subjects").find((one) => isSubject(one, binding, user));
    if (subject === undefined) continue;
    const reference = roleReference(binding);
    const rules = rulesOfRole(storage, reference);
    if (rules === undefined) {
      problems.push(
        `${reference.kind.toLowerCase()}.${group} ${JSON.stringify(reference.name)} not found`,
      );
      continue;
    }
    const { namespace: place = "" } = binding.metadata;
    const reason =
      `RBAC: allowed by ${describeBinding(binding)} of ${reference.kind} ` +
      `"${reference.name}" to ${describeSubject(subject, place)}`;
    granted.push(...rules.map((rule) => ({ rule, reason })));
  }
  return { granted, problems };
}

/** Returns the role that a binding refers to. */
export function roleReference(binding: ApiObject): RoleReference {
  return {
    kind: text(binding, "roleRef", "kind"),
    name: text(binding, "roleRef", "name"),
    namespace: binding.metadata.namespace ?? "",
  };
}

/**
 * Returns the rules of a role, undefined if it does not exist. `cluster-admin` exists on every real
 * server, so its rules are built in.
 */
export function rulesOfRole(
  storage: Stores,
  { kind, name, namespace }: RoleReference,
): readonly PolicyRule[] | undefined {
  const isCluster = kind === "ClusterRole";
  const store = storage.store(`${isCluster ? "clusterroles" : "roles"}.${group}`);
  const role = store.get(storageKey(isCluster ? "" : namespace, name));
  if (role === undefined) return isCluster && name === adminRole ? everything : undefined;
  return [...ownRules(role), ...aggregatedRules(storage, keptObject(role))];
}

// Each request reads all bindings and their roles, so they stay parsed.
const keptObject = memoized(({ object }: StoredObject) => object);
const ownRules = memoized((role: StoredObject) => objects(keptObject(role), "rules").map(readRule));

// In a real cluster a controller writes these rules into the role.
function aggregatedRules(storage: Stores, role: ApiObject): readonly PolicyRule[] {
  const selectors = objects(role, "aggregationRule", "clusterRoleSelectors").map((selector) =>
    parseLabelSelector(formatLabelSelector(selector)),
  );
  if (selectors.length === 0) return [];
  return storage
    .store(`clusterroles.${group}`)
    .objects()
    .filter(
      ({ labels = {}, name }) =>
        name !== role.metadata.name && selectors.some((selector) => selector.matches(labels)),
    )
    .flatMap(ownRules);
}

function bindingsIn(storage: Stores, namespace: string): readonly ApiObject[] {
  const cluster = storage.store(`clusterrolebindings.${group}`).objects();
  const local =
    namespace === "" ? [] : storage.store(`rolebindings.${group}`).objectsWithin(`${namespace}/`);
  return [...cluster, ...local].map(keptObject);
}

function isSubject(subject: unknown, { metadata }: ApiObject, user: UserInfo): boolean {
  const name = text(subject, "name");
  switch (field(subject, "kind")) {
    case "User":
      return name === user.username;
    case "Group":
      return user.groups.includes(name);
    case "ServiceAccount": {
      const namespace = text(subject, "namespace") || (metadata.namespace ?? "");
      return user.username === accountUsername(namespace, name);
    }
    default:
      return false;
  }
}

// plugin/pkg/auth/authorizer/rbac: names before namespaces.
function describeBinding({ metadata }: ApiObject): string {
  const { name = "", namespace = "" } = metadata;
  return namespace === "" ? `ClusterRoleBinding "${name}"` : `RoleBinding "${name}/${namespace}"`;
}

function describeSubject(subject: unknown, bindingNamespace: string): string {
  const kind = text(subject, "kind");
  const name = text(subject, "name");
  if (kind !== "ServiceAccount") return `${kind} "${name}"`;
  return `${kind} "${name}/${text(subject, "namespace") || bindingNamespace}"`;
}
