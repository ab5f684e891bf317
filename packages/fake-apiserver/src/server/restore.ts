import type { Clock } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { CreatedCore } from "./create-core.ts";
import { storageKey } from "../storage/stored-object.ts";
import { targetOf } from "../verbs/server-core.ts";
import { remove, type WriteTarget } from "../verbs/write.ts";
import type { LateControllers } from "./late-controllers.ts";
import { findResource, namespaceOf, prepareSeed, seedObject, storeSeed } from "./seed-objects.ts";

/** Stores the objects of a dump as a restore of a server's storage does. */
export interface Restorer {
  /** The server's clock. */
  readonly clock: Clock;
  /**
   * Stores an object with its uid, times, owners and status, in the place of one of the same name.
   * Makes its namespace if it is missing. An object of a definition with a conversion webhook is
   * stored in the version that it is in, without a call of the webhook.
   *
   * @returns warnings about fields that the resource does not have, and parts without effect
   * @throws {Error} with the reason for which the object cannot be stored
   */
  restore(object: ApiObject): Promise<readonly string[]>;
  /** Removes what is stored under the name of an object. Does nothing if that is absent. */
  remove(object: ApiObject): void;
  /**
   * Returns what is stored under the name of an object, or `undefined`.
   *
   * @throws {TypeError} for an unknown kind
   */
  stored(object: ApiObject): ApiObject | undefined;
  /** Returns the owners of an object that are not stored, such as `Node "a"`. */
  absentOwners(object: ApiObject): readonly string[];
  /** Holds back the simulated controllers while objects are loaded, whose owners may follow. */
  load<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when the simulated controllers have nothing to do. */
  idle(): Promise<void>;
}

/** The core of a server, and what must read its state again once it was replaced. */
interface ServerParts extends CreatedCore {
  readonly controllers: LateControllers;
}

/** The cores of servers, which only the command reaches in this way. */
export const cores: WeakMap<object, ServerParts> = new WeakMap();

/** Creates the restorer of a `FakeApiServer`. */
export function createRestorer(server: object): Restorer {
  const created = cores.get(server);
  if (created === undefined) throw new TypeError("Expected a FakeApiServer");
  const { collector, controllers, core } = created;
  return {
    clock: core.clock,
    restore: async (object) => {
      const found = findResource(core, object);
      const strategy = core.strategies.of(found.definition);
      const decoder = await strategy.decoder?.(found.served);
      const decoded = decoder?.decode(object, "json");
      const seed = prepareSeed(core, decoded?.object ?? object);
      const { namespace } = seed.object.metadata;
      if (namespace !== undefined) addNamespace(core, namespace);
      const stored = storeSeed(seed);
      const { definition, served } = found;
      // As in a storage whose definition got another storage version since: reads convert it.
      if (definition.conversionWebhook !== undefined && served.name !== definition.storageVersion) {
        core.storedVersions.keep(stored, served.name);
      } else {
        core.storedVersions.renew(stored);
      }
      const unknown = decoded?.unknown.map((path) => `unknown field "${path}"`) ?? [];
      return [...unknown, ...seed.unevaluated];
    },
    remove: (object) => {
      const { key, target } = placeOf(core, object);
      const previous = target.store.get(key);
      if (previous !== undefined) remove(target, previous);
    },
    stored: (object) => {
      const { key, target } = placeOf(core, object);
      return target.store.get(key)?.object;
    },
    absentOwners: (object) =>
      collector
        .absentOwnersOf(object, namespaceOf(core, object))
        .map(({ kind, name }) => `${kind} ${JSON.stringify(name)}`),
    load: async (work) => {
      core.storage.isLoading = true;
      try {
        return await work();
      } finally {
        core.storage.isLoading = false;
        controllers.reload();
      }
    },
    idle: () => controllers.idle(),
  };
}

function placeOf(
  core: CreatedCore["core"],
  object: ApiObject,
): { readonly key: string; readonly target: WriteTarget } {
  const { definition } = findResource(core, object);
  const target = { ...targetOf(core, definition), dryRun: false };
  return { key: storageKey(namespaceOf(core, object), object.metadata.name ?? ""), target };
}

function addNamespace(core: CreatedCore["core"], name: string): void {
  const isMissing = core.storage.store("namespaces").get(name) === undefined;
  if (!isMissing || core.settings.namespaces !== "strict") return;
  seedObject(core, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
}
