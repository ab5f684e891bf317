import { ageColumn, builtinColumn, createdAtColumn } from "./columns.ts";
import type { ApiObject, PrinterColumn } from "../api/resource-definition.ts";
import { count, field, objects, text } from "../base/read-fields.ts";

/** What `kubectl get poddisruptionbudgets` shows. */
export const disruptionBudgetColumns: readonly PrinterColumn[] = [
  builtinColumn("Min Available", "The minimum number of pods that must be available.", (object) =>
    numberOrPercent(object, "minAvailable"),
  ),
  builtinColumn(
    "Max Unavailable",
    "The maximum number of pods that can be unavailable.",
    (object) => numberOrPercent(object, "maxUnavailable"),
  ),
  builtinColumn(
    "Allowed Disruptions",
    "Calculated number of pods that may be disrupted at this time.",
    (object) => count(object, "status", "disruptionsAllowed"),
    { type: "integer" },
  ),
  ageColumn,
];

function numberOrPercent(object: ApiObject, name: string): string {
  const value = field(object, "spec", name);
  return typeof value === "number" || typeof value === "string" ? String(value) : "N/A";
}

/** What `kubectl get roles` and `clusterroles` show. */
export const roleColumns: readonly PrinterColumn[] = [createdAtColumn];

/** What `kubectl get rolebindings` and `clusterrolebindings` show. */
export const roleBindingColumns: readonly PrinterColumn[] = [
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

function subjects(object: ApiObject, kind: string): string {
  return objects(object, "subjects")
    .filter((subject) => text(subject, "kind") === kind)
    .map((subject) => {
      const name = text(subject, "name");
      return kind === "ServiceAccount" ? `${text(subject, "namespace")}/${name}` : name;
    })
    .join(", ");
}
