import { count, flag, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** PriorityClass of scheduling.k8s.io. */
export const priorityClassKind: Kind = defineKind({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  shortNames: ["pc"],
  cluster: true,
  generation: true,
  unconditionalUpdate: true,
  columns: [
    builtinColumn(
      "Value",
      "The integer value of this priority class.",
      (object) => count(object, "value"),
      { type: "integer" },
    ),
    builtinColumn(
      "Global-Default",
      "Whether it is the default for pods without a priority class.",
      (object) => flag(object, "globalDefault"),
      { type: "boolean" },
    ),
    ageColumn,
    builtinColumn(
      "PreemptionPolicy",
      "The policy for preempting pods with lower priority.",
      (object) => text(object, "preemptionPolicy") || "PreemptLowerPriority",
    ),
  ],
});
