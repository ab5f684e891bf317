import { timestamp } from "../base/timestamp.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import { randomUuid } from "../base/random-text.ts";
import { groupResource, type FoundResource } from "../api/registry.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { storageKey } from "../storage/stored-object.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { write } from "../verbs/write.ts";
import { invalid } from "../api/errors.ts";
import { validateObjectMeta } from "../validation/object-meta.ts";
import { decodeObjectMeta } from "../input/object-meta.ts";

/**
 * Puts an object into the server as it is: its status, uid and timestamps stay, what is missing is
 * filled in.
 *
 * @throws {TypeError} for objects of an unknown kind
 * @throws {ApiError} for invalid ones, with the server's text
 */
export function seedObject(core: ServerCore, object: ApiObject): void {
  const { definition, served } = findResource(core, object);
  const { metadata } = decodeObjectMeta(object.metadata);
  const strategy = core.strategies.of(definition);
  const { apiVersion: _apiVersion, kind: _kind, ...fields } = object;
  const sent = served.conversion?.toStored({ ...object, metadata }) ?? { ...object, metadata };
  const conformed = strategy.conform?.(sent, served).object ?? fields;
  const named: ApiObject = {
    ...conformed,
    metadata: {
      ...metadata,
      ...(definition.namespaced ? { namespace: metadata.namespace ?? "default" } : {}),
      uid: metadata.uid ?? randomUuid(core.random),
      creationTimestamp: metadata.creationTimestamp ?? timestamp(core.clock.now()),
      ...(definition.hasGeneration ? { generation: metadata.generation ?? 1 } : {}),
    },
  };
  const prepared = strategy.prepareForCreate?.(named) ?? named;
  // The status of a definition is the server's own business.
  const keepsStatus = named["status"] !== undefined && groupResource(definition) !== crdResource;
  const complete = keepsStatus ? { ...prepared, status: named["status"] } : prepared;
  const errors = [
    ...validateObjectMeta(complete.metadata, definition),
    ...(strategy.validateCreate?.(complete, served) ?? []),
  ];
  if (errors.length > 0) {
    throw invalid(definition.group, definition.kind, metadata.name ?? "", errors);
  }
  const stored = definition.storedAs?.toStored(complete) ?? complete;
  const target = { ...targetOf(core, definition), dryRun: false };
  const { name = "", namespace = "" } = complete.metadata;
  const previous = target.store.get(storageKey(namespace, name));
  write(target, { ...stored, metadata: complete.metadata }, previous);
}

function findResource(core: ServerCore, object: ApiObject): FoundResource {
  const { apiVersion = "", kind = "" } = object;
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  for (const definition of core.registry.definitions()) {
    if (definition.group !== group || definition.kind !== kind) continue;
    const served = definition.versions.find(({ name }) => name === apiVersion.slice(slash + 1));
    if (served !== undefined) return { definition, served };
  }
  const shown = JSON.stringify({ apiVersion, kind });
  throw new TypeError(`An object cannot be loaded because the server has no resource for ${shown}`);
}
