import { checkPathSegment } from "../validation/names.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
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
    "The role that is bound.",
    (object) => `${text(object, "roleRef", "kind")}/${text(object, "roleRef", "name")}`,
  ),
  ageColumn,
  builtinColumn("Users", "Users in the roleBinding.", (object) => subjects(object, "User"), {
    wide: true,
  }),
  builtinColumn("Groups", "Groups in the roleBinding.", (object) => subjects(object, "Group"), {
    wide: true,
  }),
  builtinColumn(
    "ServiceAccounts",
    "ServiceAccounts in the roleBinding.",
    (object) => subjects(object, "ServiceAccount"),
    { wide: true },
  ),
];

/** ClusterRoleBinding of rbac.authorization.k8s.io. */
export const clusterRoleBindingKind: Kind = defineKind({
  ...rbac,
  kind: "ClusterRoleBinding",
  cluster: true,
  columns: bindingColumns,
  docs: {
    "rbac.ClusterRoleBinding": {
      description:
        "ClusterRoleBinding gives the permissions of a role to subjects, in the whole cluster.",
      fields: {
        roleRef: ["object", "The role. Immutable."],
        subjects: ["[]object", "Users, groups and service accounts."],
      },
      required: ["roleRef"],
    },
  },
});

/** ClusterRole of rbac.authorization.k8s.io. */
export const clusterRoleKind: Kind = defineKind({
  ...rbac,
  kind: "ClusterRole",
  cluster: true,
  docs: {
    "rbac.ClusterRole": {
      description: "ClusterRole is a set of permissions within the whole cluster.",
      fields: {
        rules: ["[]rbac.PolicyRule", "The rules of the role."],
        aggregationRule: ["object", "Which other roles the rules are taken from."],
      },
    },
  },
});

/** RoleBinding of rbac.authorization.k8s.io. */
export const roleBindingKind: Kind = defineKind({
  ...rbac,
  kind: "RoleBinding",
  columns: bindingColumns,
  docs: {
    "rbac.RoleBinding": {
      description: "RoleBinding gives the permissions of a role to subjects, within a namespace.",
      fields: {
        roleRef: ["object", "The role. Immutable."],
        subjects: ["[]object", "Users, groups and service accounts."],
      },
      required: ["roleRef"],
    },
  },
});

/** Role of rbac.authorization.k8s.io. */
export const roleKind: Kind = defineKind({
  ...rbac,
  kind: "Role",
  docs: {
    "rbac.Role": {
      description: "Role is a set of permissions within a namespace.",
      fields: { rules: ["[]rbac.PolicyRule", "The rules of the role."] },
    },
    "rbac.PolicyRule": {
      description: "PolicyRule says which verbs are allowed on which resources.",
      fields: {
        verbs: ["[]string", "The verbs; * means all."],
        apiGroups: ["[]string", "The groups of the resources; * means all."],
        resources: ["[]string", "The resources; * means all."],
        resourceNames: ["[]string", "The names of objects; empty means all."],
        nonResourceURLs: ["[]string", "Paths that are no resources."],
      },
      required: ["verbs"],
    },
  },
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
