import { recordOf } from "@listwatch/core-fifo/base";
import { storageName } from "../api/registry.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { deleteInternally } from "../verbs/delete.ts";

// Holds each namespace until it is empty.
const ownFinalizer = "kubernetes";

/** Empties deleted namespaces and removes them once no finalizer is left. */
export class NamespaceController {
  readonly #core: ServerCore;
  // Namespaces with objects that wait for finalizers.
  readonly #waiting = new Map<string, () => void>();

  constructor(core: ServerCore) {
    this.#core = core;
  }

  /** Deletes a namespace's objects, and the namespace once it is empty. */
  terminate(namespace: string): void {
    if (this.#waiting.has(namespace)) return;
    const { storage } = this.#core;
    for (const definition of this.#resources()) {
      for (const version of this.#contents(definition, namespace)) {
        deleteInternally(this.#core, definition, version);
      }
    }
    if (this.#isEmpty(namespace)) {
      this.#finalize(namespace);
      return;
    }
    const stop = storage.onRevision(() => {
      if (!this.#isEmpty(namespace)) return;
      stop();
      this.#waiting.delete(namespace);
      // The write that removed the last object has not finished.
      queueMicrotask(() => this.#finalize(namespace));
    });
    this.#waiting.set(namespace, stop);
  }

  #finalize(namespace: string): void {
    const { storage } = this.#core;
    const store = storage.store("namespaces");
    const existing = store.get(namespace);
    if (existing?.object.metadata.deletionTimestamp === undefined) return;
    const { finalizers, ...spec } = recordOf(existing.object["spec"]);
    const held = Array.isArray(finalizers) ? finalizers : [];
    // Other finalizers are removed by the clients that set them.
    const kept = held.filter((name) => name !== ownFinalizer);
    if (kept.length === 0 && (existing.object.metadata.finalizers ?? []).length === 0) {
      storage.remove(store, existing);
    } else if (kept.length < held.length) {
      const changed = kept.length === 0 ? spec : { ...spec, finalizers: kept };
      storage.write(store, { ...existing.object, spec: changed });
    }
  }

  #isEmpty(namespace: string): boolean {
    return this.#resources().every(
      (definition) => this.#contents(definition, namespace).length === 0,
    );
  }

  #resources(): readonly ResourceDefinition[] {
    const definitions = this.#core.registry.definitions();
    return definitions.filter(({ namespaced, storedAs }) => namespaced && storedAs === undefined);
  }

  #contents(definition: ResourceDefinition, namespace: string): readonly StoredObject[] {
    return this.#core.storage.store(storageName(definition)).objectsWithin(`${namespace}/`);
  }
}
