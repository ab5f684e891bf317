import { disruptionBudgetRules } from "../rules/policy.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, field } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { nothingAgain } from "./metadata-repeats.ts";
import { checkPathSegment } from "../validation/names.ts";

/** PodDisruptionBudget of policy. */
export const podDisruptionBudgetKind: Kind = defineKind({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  // Nothing but what holds for all objects is checked.
  nameRule: checkPathSegment,
  metadataRepeats: nothingAgain,
  statusMetadataRepeats: nothingAgain,
  rules: disruptionBudgetRules,
  shortNames: ["pdb"],
  status: true,
  generation: true,
  columns: [
    builtinColumn("Min Available", (object) => numberOrPercent(object, "minAvailable")),
    builtinColumn("Max Unavailable", (object) => numberOrPercent(object, "maxUnavailable")),
    builtinColumn(
      "Allowed Disruptions",
      (object) => count(object, "status", "disruptionsAllowed"),
      { type: "integer" },
    ),
    ageColumn,
  ],
});

function numberOrPercent(object: ApiObject, name: string): string {
  const value = field(object, "spec", name);
  return typeof value === "number" || typeof value === "string" ? String(value) : "N/A";
}
