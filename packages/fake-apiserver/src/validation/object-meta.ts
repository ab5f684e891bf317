import { isJsonEqual } from "@listwatch/core-fifo/base";
import type { ApiObjectMeta } from "../api/api-object.ts";
import type { MetadataRepeats, ResourceDefinition } from "../api/resource-definition.ts";
import type { FieldError } from "../api/errors.ts";
import { forbidden, invalid, required, tooLong } from "./field-errors.ts";
import { byteLength } from "../base/go-text.ts";
import {
  checkDnsLabel,
  checkDnsSubdomain,
  checkLabelValue,
  checkPathSegment,
  checkQualifiedName,
  maskTrailingDash,
  type NameRule,
} from "./names.ts";
import { validateManagedFields } from "./managed-fields.ts";
import {
  validateFinalizers,
  validateKnownFinalizers,
  validateNewFinalizers,
} from "./finalizers.ts";
import { validateOwnerReferences } from "./owner-references.ts";

/** k8s.io/apimachinery, api/validation (TotalAnnotationSizeLimitB). */
const maxAnnotationsBytes = 256 * 1024;

/** Fields that updates cannot change; a missing one is reported as its zero value. */
const immutableFields: readonly (readonly [keyof ApiObjectMeta & string, zero: unknown])[] = [
  ["name", ""],
  ["namespace", ""],
  ["uid", ""],
  ["creationTimestamp", null],
  ["deletionTimestamp", null],
  ["deletionGracePeriodSeconds", null],
];

/** Validates the metadata of a new object. A generated name must have been filled in. */
export function validateObjectMeta(
  metadata: ApiObjectMeta,
  definition: ResourceDefinition,
): readonly FieldError[] {
  const rule = definition.nameRule ?? checkDnsSubdomain;
  return [
    ...validateWithRule(metadata, definition.namespaced, rule),
    ...validateKnownFinalizers(metadata, definition),
  ];
}

/** Validates metadata embedded in another object, where almost any name is allowed. */
export function validateEmbeddedMeta(
  metadata: ApiObjectMeta,
  field: string,
): readonly FieldError[] {
  const named = metadata.name === undefined ? { ...metadata, name: "any" } : metadata;
  const errors = validateWithRule(named, (metadata.namespace ?? "") !== "", checkPathSegment);
  return errors.map(({ reason, field: path, message }) => ({
    reason,
    field: `${field}.${path}`,
    message,
  }));
}

/**
 * Validates the metadata of a changed object. Fields kept or taken from the stored object must have
 * been filled in: uid, creationTimestamp, resourceVersion.
 *
 * The real server reports some problems two or three times. The registry checks general rules and
 * those of updates. The resource's validation repeats the rules of updates, those of new objects,
 * or both.
 *
 * @param subresource "" for the object itself
 */
export function validateObjectMetaUpdate(
  metadata: ApiObjectMeta,
  stored: ApiObjectMeta,
  definition: ResourceDefinition,
  subresource = "",
): readonly FieldError[] {
  const general = validateWithRule(metadata, definition.namespaced, checkPathSegment);
  const update = validateChange(metadata, stored);
  const errors = [...general, ...update];
  const { changes, whole } = repeatsOf(definition, subresource);
  for (let time = 0; time < changes; time++) {
    errors.push(...update, ...validateKnownFinalizers(metadata, definition));
  }
  for (let time = 0; time < whole; time++) {
    errors.push(...validateObjectMeta(metadata, definition));
  }
  return errors;
}

const changesAlone: MetadataRepeats = { changes: 1, whole: 0 };

function repeatsOf(
  { metadataRepeats, statusMetadataRepeats }: ResourceDefinition,
  subresource: string,
): MetadataRepeats {
  return (subresource === "" ? metadataRepeats : statusMetadataRepeats) ?? changesAlone;
}

function validateWithRule(
  metadata: ApiObjectMeta,
  namespaced: boolean,
  rule: NameRule,
): readonly FieldError[] {
  const { generation = 0 } = metadata;
  const errors = [...validateNames(metadata, rule), ...validateNamespace(metadata, namespaced)];
  if (generation < 0) {
    errors.push(invalid("metadata.generation", generation, "must be greater than or equal to 0"));
  }
  errors.push(
    ...validateLabels(metadata.labels),
    ...checkAnnotations("metadata.annotations", metadata.annotations),
    ...validateOwnerReferences(metadata.ownerReferences),
    ...validateFinalizers(metadata.finalizers ?? []),
    ...validateManagedFields(metadata["managedFields"]),
  );
  return errors;
}

function validateNames(metadata: ApiObjectMeta, rule: NameRule): readonly FieldError[] {
  const { name = "", generateName = "" } = metadata;
  const errors: FieldError[] = [];
  if (generateName !== "") {
    const problems = rule(maskTrailingDash(generateName));
    errors.push(...problems.map((why) => invalid("metadata.generateName", generateName, why)));
  }
  if (name === "") errors.push(required("metadata.name", "name or generateName is required"));
  else errors.push(...rule(name).map((why) => invalid("metadata.name", name, why)));
  return errors;
}

function validateNamespace(
  { namespace = "" }: ApiObjectMeta,
  namespaced: boolean,
): readonly FieldError[] {
  const field = "metadata.namespace";
  if (!namespaced) return namespace === "" ? [] : [forbidden(field, "not allowed on this type")];
  if (namespace === "") return [required(field)];
  return checkDnsLabel(namespace).map((why) => invalid(field, namespace, why));
}

function validateLabels(labels: ApiObjectMeta["labels"]): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.push(...checkQualifiedName(key).map((why) => invalid("metadata.labels", key, why)));
    errors.push(...checkLabelValue(value).map((why) => invalid("metadata.labels", value, why)));
  }
  return errors;
}

/** Checks the keys and the total size of annotations. */
export function checkAnnotations(
  field: string,
  annotations: ApiObjectMeta["annotations"],
): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const key of Object.keys(annotations ?? {})) {
    // Annotation keys are not case-sensitive.
    const problems = checkQualifiedName(key.toLowerCase());
    errors.push(...problems.map((why) => invalid(field, key, why)));
  }
  if (!areAnnotationsWithinLimit(annotations)) errors.push(tooLong(field, maxAnnotationsBytes));
  return errors;
}

/** Whether the keys and values of annotations fit the server's size limit. */
export function areAnnotationsWithinLimit(annotations: ApiObjectMeta["annotations"] = {}): boolean {
  let units = 0;
  for (const [key, value] of Object.entries(annotations)) units += key.length + value.length;
  // A UTF-16 unit has at most three bytes, so most sets need no exact count.
  if (units * 3 <= maxAnnotationsBytes) return true;
  const texts = Object.entries(annotations).flat();
  return texts.reduce((sum, text) => sum + byteLength(text), 0) <= maxAnnotationsBytes;
}

function validateChange(metadata: ApiObjectMeta, stored: ApiObjectMeta): readonly FieldError[] {
  const errors = [...validateNewFinalizers(metadata, stored)];
  const { generation = 0 } = metadata;
  if (generation < (stored.generation ?? 0)) {
    errors.push(invalid("metadata.generation", generation, "must not be decremented"));
  }
  for (const [name, zero] of immutableFields) {
    const value = metadata[name] ?? zero;
    if (isJsonEqual(value, stored[name] ?? zero)) continue;
    errors.push(invalid(`metadata.${name}`, value, "field is immutable"));
  }
  errors.push(
    ...validateLabels(metadata.labels),
    ...checkAnnotations("metadata.annotations", metadata.annotations),
    ...validateOwnerReferences(metadata.ownerReferences),
    ...validateManagedFields(metadata["managedFields"]),
  );
  return errors;
}
