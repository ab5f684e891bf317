import { runtimeClassRules } from "../rules/policy.ts";
import { orNone, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** RuntimeClass of node.k8s.io. */
export const runtimeClassKind: Kind = defineKind({
  group: "node.k8s.io",
  version: "v1",
  kind: "RuntimeClass",
  rules: runtimeClassRules,
  plural: "runtimeclasses",
  cluster: true,
  createOnUpdate: true,
  columns: [builtinColumn("Handler", (object) => orNone(text(object, "handler"))), ageColumn],
});
