import { recordOf } from "@listwatch/core-fifo/base";
import { timestamp } from "../base/server-clock.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import { randomUuid } from "../base/random-text.ts";
import {
  groupResource,
  storageName,
  storageVersionOf,
  type FoundResource,
} from "../api/registry.ts";
import { rereadObject } from "../schema/conform-object.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { texts } from "../base/read-fields.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { write, type WriteTarget } from "../verbs/write.ts";
import { invalid } from "../api/errors.ts";
import { validateObjectMeta } from "../validation/object-meta.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";

/** An object as it will be stored, and where. */
export interface PreparedSeed {
  readonly target: WriteTarget;
  readonly kind: string;
  /** The name of its storage, which groups with the same objects share. */
  readonly storage: string;
  /** The namespace and the name, or the name alone. */
  readonly key: string;
  readonly object: ApiObject;
  /** Parts of it that have no effect. */
  readonly unevaluated: readonly string[];
}

/**
 * Puts an object into the server as it is: its status, uid and timestamps stay, what is missing is
 * filled in.
 *
 * @throws {TypeError} for objects of an unknown kind
 * @throws {ApiError} for invalid ones, with the server's text
 */
export function seedObject(core: ServerCore, object: ApiObject): void {
  storeSeed(prepareSeed(core, object));
}

/** Stores the object, in the place of one of the same key. */
export function storeSeed({ key, object, target }: PreparedSeed): StoredObject {
  return write(target, object, target.store.get(key));
}

/**
 * Fills in what is missing, and checks the result.
 *
 * @throws {TypeError} for objects of an unknown kind
 * @throws {ApiError} for invalid ones, with the server's text
 */
export function prepareSeed(core: ServerCore, object: ApiObject): PreparedSeed {
  const { definition, served } = findResource(core, object);
  const { metadata } = decodeObjectMeta(object.metadata);
  const strategy = core.strategies.of(definition);
  const { apiVersion: _apiVersion, kind: _kind, ...fields } = object;
  const isRestored = wasStored(object, groupResource(definition) === crdResource);
  const sent = served.conversion?.toStored({ ...object, metadata }) ?? { ...object, metadata };
  const conformed = strategy.conform?.(sent, served).object ?? fields;
  const named: ApiObject = {
    ...conformed,
    metadata: {
      ...withoutLink(metadata),
      ...(definition.namespaced ? { namespace: metadata.namespace ?? "default" } : {}),
      uid: metadata.uid ?? randomUuid(core.random),
      creationTimestamp: metadata.creationTimestamp ?? timestamp(core.clock.now()),
      ...(definition.hasGeneration ? { generation: metadata.generation ?? 1 } : {}),
    },
  };
  const kept = definition.storedAs?.toStored(named) ?? named;
  const complete = isRestored ? kept : prepareNew(core, definition, kept);
  const errors = [
    ...validateObjectMeta(complete.metadata, definition),
    ...(isRestored ? [] : (strategy.validateCreate?.(complete, served) ?? [])),
  ];
  // An object with a uid comes from a cluster, which may have had other ranges.
  if (errors.length === 0 && metadata.uid === undefined) {
    errors.push(...(strategy.checkAllocation?.(complete, undefined, false) ?? []));
  }
  if (errors.length > 0) {
    throw invalid(definition.group, definition.kind, metadata.name ?? "", errors);
  }
  const stored = asStored(definition, complete);
  const target = { ...targetOf(core, definition), dryRun: false };
  const { name = "", namespace = "" } = complete.metadata;
  return {
    target,
    kind: definition.kind,
    storage: storageName(definition),
    key: storageKey(namespace, name),
    object: { ...stored, metadata: complete.metadata },
    unevaluated: strategy.unevaluated?.(complete) ?? [],
  };
}

/**
 * Whether a server has stored the object before, which is then complete and valid: nothing is
 * filled in or checked that a server does only once, at its creation.
 */
function wasStored({ metadata, status }: ApiObject, isDefinition: boolean): boolean {
  const { creationTimestamp, resourceVersion = "", uid = "" } = recordOf(metadata);
  if (uid === "" || resourceVersion === "" || typeof creationTimestamp !== "string") return false;
  return !isDefinition || texts({ status }, "status", "storedVersions").length > 0;
}

// Storages of custom resources fill in the defaults of the stored version when they are read.
function asStored(definition: ResourceDefinition, object: ApiObject): ApiObject {
  const version = storageVersionOf(definition);
  const isRead = definition.custom && definition.conversionWebhook === undefined;
  return isRead && version !== undefined ? rereadObject(object, version) : object;
}

function prepareNew(core: ServerCore, definition: ResourceDefinition, named: ApiObject): ApiObject {
  const prepared = core.strategies.of(definition).prepareForCreate?.(named) ?? named;
  // The status of a definition is the server's own business.
  const keepsStatus = named["status"] !== undefined && groupResource(definition) !== crdResource;
  return keepsStatus ? { ...prepared, status: named["status"] } : prepared;
}

// Servers no longer have it: KEP-1164.
function withoutLink({ selfLink: _link, ...metadata }: ApiObjectMeta): ApiObjectMeta {
  return metadata;
}

/** Returns the namespace that an object is stored in; "" for cluster-scoped objects. */
export function namespaceOf(core: ServerCore, object: ApiObject): string {
  const { namespaced } = findResource(core, object).definition;
  return namespaced ? (object.metadata.namespace ?? "default") : "";
}

/** Finds the resource of an object. @throws {TypeError} for an unknown kind */
export function findResource(core: ServerCore, object: ApiObject): FoundResource {
  const { apiVersion = "", kind = "" } = object;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  for (const definition of core.registry.definitions()) {
    if (definition.group !== group || definition.kind !== kind) continue;
    const served = definition.versions.find(({ name }) => name === apiVersion.slice(slash + 1));
    if (served !== undefined) return { definition, served };
  }
  const shown = JSON.stringify({ apiVersion, kind });
  throw new TypeError(`the server has no resource for ${shown}`);
}
