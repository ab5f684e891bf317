import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import { namespaceMismatch } from "../api/errors.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { FoundResource } from "../api/registry.ts";

/** Another kind that presents an object, such as the Scale of a Deployment. */
export interface AdmissionView {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly show: (object: ApiObject) => JsonObject;
  /** The object that a presentation changed by a webhook stands for. @default it cannot be changed */
  readonly take?: ((changed: JsonObject) => Promise<ApiObject>) | undefined;
}

/** Presents the objects of a resource in one of its versions. */
export function ownView({ definition, served }: FoundResource): AdmissionView {
  const { group, kind } = definition;
  const conversion = served.conversion ?? definition.storedAs;
  const apiVersion = apiVersionOf(group, served.name);
  return {
    group,
    version: served.name,
    kind,
    show: (object) => ({ ...(conversion?.fromStored(object) ?? object), apiVersion, kind }),
  };
}

/**
 * Gives a changed object the identity of the original one, and the metadata that only the server
 * sets: admission can change neither.
 */
export function withIdentity(changed: JsonObject, { metadata }: ApiObject): ApiObject {
  const given = recordOf(changed["metadata"]);
  const {
    annotations: _annotations,
    finalizers: _finalizers,
    labels: _labels,
    ownerReferences: _owners,
    ...identity
  } = metadata;
  const names = ["annotations", "finalizers", "labels", "ownerReferences"];
  const changes = names
    .filter((name) => given[name] !== undefined)
    .map((name) => [name, given[name]] as const);
  return { ...changed, metadata: { ...identity, ...Object.fromEntries(changes) } };
}

/**
 * As {@link withIdentity}, for a new object: its name can be changed or removed. A version that was
 * added stays, for which the storage refuses the object.
 *
 * @param requestedName "" if the server has generated the name
 * @throws {ApiError} 400 for another namespace
 */
export function withNewIdentity(
  changed: JsonObject,
  original: ApiObject,
  requestedName: string,
): ApiObject {
  const { metadata } = withIdentity(changed, original);
  const given = recordOf(changed["metadata"]);
  const { name = "", namespace = "", resourceVersion } = given;
  if (metadata.namespace !== undefined && namespace !== "" && namespace !== metadata.namespace) {
    throw namespaceMismatch();
  }
  const { name: generated, ...unnamed } = metadata;
  const chosen = name === "" && requestedName === "" ? generated : name;
  const isNamed = typeof chosen === "string" && chosen !== "";
  return {
    ...changed,
    metadata: {
      ...unnamed,
      ...(isNamed && { name: chosen }),
      ...(typeof resourceVersion === "string" && { resourceVersion }),
    },
  };
}

/** Hides what the server sets on a new object after its admission. */
export function hideSystemFields(shown: JsonObject, requestedName: string): JsonObject {
  const {
    creationTimestamp: _time,
    generation: _generation,
    name,
    uid: _uid,
    ...metadata
  } = recordOf(shown["metadata"]);
  const named = requestedName === "" ? {} : { name };
  return { ...shown, metadata: { ...named, ...metadata } };
}

const keptFields = ["creationTimestamp", "generation", "resourceVersion", "uid"] as const;

/** Hides what an update keeps of the stored object after its admission, unless it was sent. */
export function hideUnsentFields(shown: JsonObject, sent: ApiObjectMeta): JsonObject {
  const hidden: readonly string[] = keptFields.filter((name) => sent[name] === undefined);
  const metadata = Object.entries(recordOf(shown["metadata"]));
  const visible = metadata.filter(([name]) => !hidden.includes(name));
  return { ...shown, metadata: Object.fromEntries(visible) };
}

/** The new object without its managed fields, if admission has removed them. */
export function withoutRemovedEntries(object: ApiObject, changed: JsonObject): ApiObject {
  if (recordOf(changed["metadata"])["managedFields"] !== undefined) return object;
  const { managedFields: _entries, ...metadata } = object.metadata;
  return { ...object, metadata };
}
