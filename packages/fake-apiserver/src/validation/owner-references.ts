import { goJson } from "../base/go-text.ts";
import { repeatedIndexes } from "../base/read-fields.ts";
import { isRecord, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { invalid, invalidShown, required } from "./field-errors.ts";

const listPath = "metadata.ownerReferences";
// A real server reports all. Each message contains all references.
const maxConflicts = 8;

/** Fields of a reference in the server's order. */
const shownFields: readonly string[] = [
  "apiVersion",
  "kind",
  "name",
  "uid",
  "controller",
  "blockOwnerDeletion",
];
const requiredFields = ["apiVersion", "kind", "name", "uid"] as const;

/** Checks `metadata.ownerReferences`: complete, at most one controller, not an Event. */
export function validateOwnerReferences(value: unknown): readonly FieldError[] {
  const references = Array.isArray(value) ? value.filter(isRecord) : [];
  const errors: FieldError[] = [];
  let conflicts = 0;
  let shownReferences: string | undefined;
  let controller = "";
  for (const [index, reference] of references.entries()) {
    errors.push(...validateReference(`${listPath}[${index}]`, reference));
    if (reference["controller"] !== true) continue;
    const name = `${stringOf(reference["kind"])}/${stringOf(reference["name"])}`;
    if (controller === "") controller = name;
    else if (conflicts++ < maxConflicts) {
      const found = `Found "true" in references for ${controller} and ${name}`;
      const detail = `Only one reference can have Controller set to true. ${found}`;
      shownReferences ??= JSON.stringify(references.map(shown));
      errors.push(invalidShown(listPath, shownReferences, detail));
    }
  }
  return errors;
}

/**
 * Removes duplicate owners and warns the client; `seen` is part of the warning. k8s.io/apiserver
 * pkg/endpoints/handlers/rest.go: `dedupOwnerReferences`.
 */
export function withoutRepeatedOwners(
  object: ApiObject,
  warnings: string[],
  seen: "" | " after mutating admission happens",
): ApiObject {
  const { ownerReferences = [] } = object.metadata;
  if (ownerReferences.length < 2) return object;
  const repeated = repeatedIndexes(ownerReferences.map(goJson));
  if (repeated.size === 0) return object;
  const uids = ownerReferences
    .filter((_, index) => repeated.has(index))
    .map((one) => (isRecord(one) ? stringOf(one["uid"]) : ""))
    .join(", ");
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${seen}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${uids}`,
  );
  const kept = ownerReferences.filter((_, index) => !repeated.has(index));
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}

function validateReference(path: string, reference: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const name of requiredFields) {
    const value = stringOf(reference[name]);
    if (value === "") errors.push(required(`${path}.${name}`, "must not be empty"));
    else if (name === "apiVersion" && !isGroupVersion(value)) {
      errors.push(invalid(`${path}.${name}`, value, "must be <group>/<version> or <version>"));
    }
  }
  if (reference["apiVersion"] === "v1" && reference["kind"] === "Event") {
    const detail = "/v1, Kind=Event is disallowed from being an owner";
    errors.push(invalidShown(path, JSON.stringify(shown(reference)), detail));
  }
  return errors;
}

/** Strings are always shown, the two booleans only if they are set. */
function shown(reference: JsonObject): JsonObject {
  const entries = shownFields.map((field): [string, unknown] => [
    field,
    reference[field] ?? (["controller", "blockOwnerDeletion"].includes(field) ? undefined : ""),
  ]);
  return Object.fromEntries(entries);
}

/** Like `apps/v1` or `v1` (k8s.io/apimachinery pkg/runtime/schema, `ParseGroupVersion`). */
function isGroupVersion(value: string): boolean {
  const parts = value.split("/");
  return parts.length <= 2 && parts.at(-1) !== "";
}
