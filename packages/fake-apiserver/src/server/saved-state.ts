import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { groupResource } from "../api/registry.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { remove } from "../verbs/write.ts";
import { cores, createRestorer } from "./restore.ts";
import { findResource } from "./seed-objects.ts";

/** All objects of a server, as a List that `kubectl` can read. */
export interface SavedState {
  readonly kind: "List";
  readonly apiVersion: "v1";
  /** `resourceVersion` is the newest revision of the server. */
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly ApiObject[];
}

/** Returns all objects of a `FakeApiServer`, with their uids, status and field ownership. */
export function saveState(server: object): SavedState {
  const { core } = coreOf(server);
  const items: ApiObject[] = [];
  for (const definition of core.registry.definitions()) {
    const [served] = definition.versions;
    if (definition.storedAs !== undefined || served === undefined) continue;
    const presenter = core.views.presenter({ definition, served });
    for (const stored of targetOf(core, definition).store.objects()) {
      // Those without a uid are computed, such as component statuses.
      if (stored.object.metadata.uid === undefined) continue;
      items.push(asItStands(core, definition, stored) ?? presenter.object(stored));
    }
  }
  const metadata = { resourceVersion: core.storage.versions.textOf(core.storage.revision) };
  return { kind: "List", apiVersion: "v1", metadata, items };
}

// A conversion webhook may not run now: its objects are in the version in which they are stored.
function asItStands(
  core: ServerCore,
  definition: ResourceDefinition,
  stored: StoredObject,
): ApiObject | undefined {
  if (definition.conversionWebhook === undefined) return undefined;
  const version = core.storedVersions.of(stored, definition);
  const { group, kind } = definition;
  return { apiVersion: apiVersionOf(group, version), kind, ...stored.object };
}

/**
 * Replaces all objects of a `FakeApiServer` by those of a saved state. Revisions go on after those
 * of the state.
 *
 * @returns the number of objects
 * @throws {Error} for a state or an object that cannot be used
 */
export async function restoreState(server: object, state: unknown): Promise<number> {
  const { core } = coreOf(server);
  const restorer = createRestorer(server);
  const items = itemsOf(state);
  const version = String(recordOf(recordOf(state)["metadata"])["resourceVersion"]);
  const revision = core.storage.versions.revisionOf(version);
  await restorer.load(async () => {
    // Definitions first: other objects may be of their kinds.
    const isDefinition = ({ kind }: ApiObject): boolean => kind === "CustomResourceDefinition";
    const sorted = [...items.filter(isDefinition), ...items.filter((one) => !isDefinition(one))];
    for (const item of sorted) await restorer.restore(item);
    removeOthers(core, items);
    core.storage.advance(revision + 1);
  });
  return items.length;
}

function coreOf(server: object): { readonly core: ServerCore } {
  const parts = cores.get(server);
  if (parts === undefined) throw new TypeError("Expected a FakeApiServer");
  return parts;
}

function itemsOf(state: unknown): readonly ApiObject[] {
  const { items, metadata } = recordOf(state);
  const isList = Array.isArray(items) && items.every(isObject);
  if (!isList || !/^\d+$/.test(String(recordOf(metadata)["resourceVersion"]))) {
    throw new TypeError("expected a List of objects with a resourceVersion, as --state writes it");
  }
  return items;
}

function isObject(value: unknown): value is ApiObject {
  return isRecord(value) && isRecord(value["metadata"]);
}

/** Removes what is not part of the state, such as objects that the server created at its start. */
function removeOthers(core: ServerCore, items: readonly ApiObject[]): void {
  const kept = new Set(
    items.map((item) => {
      const { definition } = findResource(core, item);
      const { name, namespace = "" } = item.metadata;
      return `${groupResource(definition)} ${definition.namespaced ? namespace : ""}/${name}`;
    }),
  );
  for (const definition of core.registry.definitions()) {
    if (definition.storedAs !== undefined || groupResource(definition) === crdResource) continue;
    const target = { ...targetOf(core, definition), dryRun: false };
    for (const stored of target.store.objects()) {
      const id = `${groupResource(definition)} ${stored.namespace}/${stored.name}`;
      if (stored.object.metadata.uid !== undefined && !kept.has(id)) remove(target, stored);
    }
  }
}
