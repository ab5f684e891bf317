import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { checkAnnotations } from "./object-meta.ts";
import { forbidden } from "./field-errors.ts";
import { checkLabels } from "./label-selector.ts";

// Members of metadata in the order of the server's structure, and the names in its message, which
// has them in lower case from the first letter on: `uID`.
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
      .filter(([name]) => isSet(metadata[name]))
      .map(([name, shown = name]) => forbidden(`${field}.${shown}`, "cannot be set")),
  ];
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  if (!isRecord(value)) return texts;
  for (const [key, text] of Object.entries(value)) {
    if (typeof text === "string") texts[key] = text;
  }
  return texts;
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== 0;
}
