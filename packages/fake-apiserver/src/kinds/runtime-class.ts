import { runtimeClassRules } from "../rules/policy.ts";
import { orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";
import { wholeAndChanges } from "./metadata-repeats.ts";

/** RuntimeClass of node.k8s.io. */
export const runtimeClassKind: Kind = defineKind({
  group: "node.k8s.io",
  version: "v1",
  kind: "RuntimeClass",
  metadataRepeats: wholeAndChanges,
  rules: runtimeClassRules,
  plural: "runtimeclasses",
  cluster: true,
  createOnUpdate: true,
  columns: [
    builtinColumn("Handler", "The underlying runtime and its configuration.", (object) =>
      orNone(text(object, "handler")),
    ),
    ageColumn,
  ],
});
