import {
  clusterRoleBindingRules,
  clusterRoleRules,
  roleBindingRules,
  roleRules,
} from "../rules/rbac.ts";
import { fill, within, each, withMembersOf } from "./defaults/fill.ts";
import { checkPathSegment } from "../validation/names.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { PrinterColumn } from "../api/resource-definition.ts";
import { objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

// PUT to a missing name creates, and needs no resourceVersion. Names may have colons.
const rbac = {
  group: "rbac.authorization.k8s.io",
  version: "v1",
  createOnUpdate: true,
  nameRule: checkPathSegment,
  unconditionalUpdate: true,
} as const;

const bindingColumns: readonly PrinterColumn[] = [
  builtinColumn(
    "Role",
    (object) => `${text(object, "roleRef", "kind")}/${text(object, "roleRef", "name")}`,
  ),
  ageColumn,
  builtinColumn("Users", (object) => subjects(object, "User"), {
    wide: true,
  }),
  builtinColumn("Groups", (object) => subjects(object, "Group"), {
    wide: true,
  }),
  builtinColumn("ServiceAccounts", (object) => subjects(object, "ServiceAccount"), { wide: true }),
];

/** ClusterRoleBinding of rbac.authorization.k8s.io. */
export const clusterRoleBindingKind: Kind = defineKind({
  ...rbac,
  kind: "ClusterRoleBinding",
  rules: clusterRoleBindingRules,
  defaults: bindingDefaults,
  cluster: true,
  columns: bindingColumns,
});

/** ClusterRole of rbac.authorization.k8s.io. */
export const clusterRoleKind: Kind = defineKind({
  ...rbac,
  kind: "ClusterRole",
  rules: clusterRoleRules,
  cluster: true,
});

/** RoleBinding of rbac.authorization.k8s.io. */
export const roleBindingKind: Kind = defineKind({
  ...rbac,
  kind: "RoleBinding",
  rules: roleBindingRules,
  defaults: bindingDefaults,
  columns: bindingColumns,
});

/** Role of rbac.authorization.k8s.io. */
export const roleKind: Kind = defineKind({
  ...rbac,
  kind: "Role",
  rules: roleRules,
});

function subjects(object: ApiObject, kind: string): string {
  return objects(object, "subjects")
    .filter((subject) => text(subject, "kind") === kind)
    .map((subject) => {
      const name = text(subject, "name");
      return kind === "ServiceAccount" ? `${text(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}

/** The defaults of a role binding. */
function bindingDefaults(binding: ApiObject): ApiObject {
  const apiGroup = "rbac.authorization.k8s.io";
  const filled = within(binding, "roleRef", (ref) => fill(ref, { apiGroup }));
  return withMembersOf(
    each(filled, "subjects", (subject) =>
      subject["kind"] === "ServiceAccount" ? subject : fill(subject, { apiGroup }),
    ),
    binding,
  );
}
