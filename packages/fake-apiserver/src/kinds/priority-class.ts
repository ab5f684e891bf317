import { checkOnlyDefault } from "./admission/priority.ts";
import { priorityClassRules } from "../rules/policy.ts";
import { fillAbsent, withMembersOf } from "./defaults/fill.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, flag, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** PriorityClass of scheduling.k8s.io. */
export const priorityClassKind: Kind = defineKind({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  rules: priorityClassRules,
  defaults: priorityClassDefaults,
  strategy: (host) => ({ admit: (priorityClass) => checkOnlyDefault(priorityClass, host) }),
  plural: "priorityclasses",
  shortNames: ["pc"],
  cluster: true,
  generation: true,
  // Nothing changes it.
  desiredState: () => undefined,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Value", (object) => count(object, "value"), { type: "integer" }),
    builtinColumn("Global-Default", (object) => flag(object, "globalDefault"), { type: "boolean" }),
    ageColumn,
    builtinColumn(
      "PreemptionPolicy",
      (object) => text(object, "preemptionPolicy") || "PreemptLowerPriority",
    ),
  ],
});

/** The defaults of a PriorityClass. */
function priorityClassDefaults(priorityClass: ApiObject): ApiObject {
  const fields = { preemptionPolicy: "PreemptLowerPriority" };
  return withMembersOf(fillAbsent(priorityClass, fields), priorityClass);
}
