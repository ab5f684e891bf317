import type { JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { textsOf } from "../base/read-fields.ts";
import { checkAnnotations } from "./object-meta.ts";
import { forbidden } from "./field-errors.ts";
import { checkLabels } from "./label-selector.ts";

// The members that a template may not have, in the order of the server's structure, and their names
// in its message if they differ: it writes the first letter of Go's `UID` small.
const others: readonly (readonly [name: string, shown?: string])[] = [
  ["name"],
  ["generateName"],
  ["namespace"],
  ["selfLink"],
  ["uid", "uID"],
  ["resourceVersion"],
  ["generation"],
  ["creationTimestamp"],
  ["deletionTimestamp"],
  ["deletionGracePeriodSeconds"],
  ["ownerReferences"],
  ["finalizers"],
  ["managedFields"],
];

/**
 * Checks metadata of a template, which has labels and annotations only (pkg/apis/core/validation:
 * `ValidateTemplateObjectMeta`).
 */
export function checkTemplateMeta(field: string, metadata: JsonObject): readonly FieldError[] {
  const { annotations, labels } = metadata;
  return [
    ...checkAnnotations(`${field}.annotations`, textsOf(annotations)),
    ...checkLabels(`${field}.labels`, labels),
    ...others
      .filter(([name]) => isSet(name, metadata[name]))
      .map(([name, shown = name]) => forbidden(`${field}.${shown}`, "cannot be set")),
  ];
}

// Go cannot tell a `generation` of 0 from none, which has no pointer; it can for the other numbers.
function isSet(name: string, value: unknown): boolean {
  return (value ?? "") !== "" && (name !== "generation" || value !== 0);
}
