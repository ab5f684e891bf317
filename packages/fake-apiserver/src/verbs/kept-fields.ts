import { isJsonEqual, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { FoundResource } from "../api/registry.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";
import { FieldSet } from "../ownership/field-set.ts";
import { fieldElement } from "../ownership/path-element.ts";
import { resetFields } from "../ownership/reset-fields.ts";

/**
 * Returns a sent update with the stored values of the fields that clients cannot set at this
 * endpoint: those that the server writes, and those that the endpoint resets.
 *
 * @param subresource "" for the object itself
 */
export function keepStoredFields(
  { definition, served }: FoundResource,
  subresource: string,
  stored: ApiObject,
  sent: ApiObject,
): ApiObject {
  // Nothing but the status, whatever fields the resource has.
  if (definition.custom && subresource === "status") return takeStatus(stored, sent);
  const reset = resetFields(definition, served, subresource);
  const { metadata, spec, status, ...fields } = sent;
  return {
    ...fields,
    metadata: keepMetadata(stored.metadata, metadata, reset),
    // A part of the status that is reset is for the strategy of the kind.
    ...given({
      spec: isReset(reset, "spec") ? stored["spec"] : spec,
      status: isReset(reset, "status") ? stored["status"] : status,
    }),
  };
}

function takeStatus(stored: ApiObject, { apiVersion, kind, status }: ApiObject): ApiObject {
  const { status: _status, ...fields } = stored;
  return { ...fields, ...given({ apiVersion, kind, status }), metadata: stored.metadata };
}

// Server-written fields keep their stored values, whatever the client sends or omits.
function keepMetadata(stored: ApiObjectMeta, sent: ApiObjectMeta, reset: FieldSet): ApiObjectMeta {
  if (isReset(reset, "metadata")) return stored;
  const ofMetadata = reset.children.get(fieldElement("metadata")) ?? FieldSet.empty;
  const {
    creationTimestamp: _created,
    deletionGracePeriodSeconds = stored.deletionGracePeriodSeconds,
    deletionTimestamp = stored.deletionTimestamp,
    generation: _generation,
    labels,
    managedFields: _entries,
    ownerReferences,
    resourceVersion: _version,
    selfLink: _link,
    uid = stored.uid,
    ...kept
  } = sent;
  const { creationTimestamp, generation, resourceVersion } = stored;
  const isDeletionReset = isReset(ofMetadata, "deletionTimestamp");
  return {
    ...kept,
    ...given({
      labels: isReset(ofMetadata, "labels") ? stored.labels : labels,
      ownerReferences: isReset(ofMetadata, "ownerReferences")
        ? stored.ownerReferences
        : ownerReferences,
      creationTimestamp,
      deletionTimestamp: isDeletionReset ? stored.deletionTimestamp : deletionTimestamp,
      deletionGracePeriodSeconds,
      uid,
      generation,
      resourceVersion,
    }),
  };
}

function isReset(reset: FieldSet, name: string): boolean {
  return reset.children.get(fieldElement(name))?.has === true;
}

/** Replaces a spec by the stored one if they are equal: later comparisons need not look into it. */
export function withStoredSpec(changed: ApiObject, { spec }: ApiObject): ApiObject {
  if (changed["spec"] === spec || !isJsonEqual(changed["spec"], spec)) return changed;
  return { ...changed, spec };
}

/** Counts a change of the desired state. */
export function countGeneration(
  { desiredState = specOf }: ResourceStrategy,
  found: FoundResource,
  stored: ApiObject,
  changed: ApiObject,
): ApiObject {
  const { generation } = stored.metadata;
  const desired = found.definition.custom
    ? (object: ApiObject) => contentOf(object, found)
    : desiredState;
  if (generation === undefined || isJsonEqual(desired(stored), desired(changed))) return changed;
  return { ...changed, metadata: { ...changed.metadata, generation: generation + 1 } };
}

function specOf({ spec }: ApiObject): unknown {
  return spec;
}

// Without a status subresource, status is a field like any other.
function contentOf(
  { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, status, ...rest }: ApiObject,
  { served }: FoundResource,
): unknown {
  return served.status ? rest : { ...rest, status };
}

function given(fields: JsonObject): JsonObject {
  const present: MutableJsonObject = {};
  for (const name in fields) if (fields[name] !== undefined) present[name] = fields[name];
  return present;
}
