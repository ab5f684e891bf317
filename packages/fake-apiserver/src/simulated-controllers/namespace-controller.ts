import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import { storageName } from "../api/registry.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { objects } from "../base/read-fields.ts";
import { timestamp } from "../base/server-clock.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { deleteInternally } from "../verbs/delete.ts";
import { namespaceConditions, type Remaining } from "./namespace-conditions.ts";

// Holds each namespace until it is empty.
const ownFinalizer = "kubernetes";

/**
 * Empties deleted namespaces, pods first, and removes them once no finalizer is left. While objects
 * remain, conditions say which (k8s.io/kubernetes pkg/controller/namespace/deletion).
 */
export class NamespaceController {
  readonly #core: ServerCore;
  // Namespaces with objects that are not gone yet.
  readonly #waiting = new Set<string>();

  constructor(core: ServerCore) {
    this.#core = core;
  }

  /** Deletes a namespace's objects, and the namespace once it is empty. */
  terminate(namespace: string): void {
    if (this.#waiting.has(namespace) || this.#proceed(namespace)) return;
    this.#waiting.add(namespace);
    let isQueued = false;
    const stop = this.#core.storage.onRevision(() => {
      if (isQueued) return;
      isQueued = true;
      // The write that removed an object has not finished.
      queueMicrotask(() => {
        isQueued = false;
        if (!this.#waiting.has(namespace) || !this.#proceed(namespace)) return;
        stop();
        this.#waiting.delete(namespace);
      });
    });
  }

  /** Whether nothing is left to do: the namespace is empty, or a restored state has it again. */
  #proceed(namespace: string): boolean {
    const found = this.#core.storage.store("namespaces").get(namespace);
    if (found?.isTerminating !== true) return true;
    const [pods, others] = this.#resources();
    if (this.#empty(pods, namespace).length > 0) {
      this.#report(namespace, []);
      return false;
    }
    const remaining = this.#empty(others, namespace);
    const isEmpty = remaining.length === 0;
    // One that is empty at once says nothing.
    const isReported = objects(found.object, "status", "conditions").length > 0;
    if (!isEmpty || isReported) this.#report(namespace, remaining);
    if (isEmpty) this.#finalize(namespace);
    return isEmpty;
  }

  /** Deletes the objects of resources, and returns those that remain. */
  #empty(definitions: readonly ResourceDefinition[], namespace: string): readonly Remaining[] {
    for (const definition of definitions) {
      for (const version of this.#contents(definition, namespace)) {
        if (!version.isTerminating) deleteInternally(this.#core, definition, version);
      }
    }
    return definitions.flatMap((definition) => {
      const stored = this.#contents(definition, namespace);
      const resource = `${definition.plural}.${definition.group}`;
      return stored.length === 0 ? [] : [{ resource, stored }];
    });
  }

  #report(namespace: string, remaining: readonly Remaining[]): void {
    const { clock, storage } = this.#core;
    const store = storage.store("namespaces");
    const existing = store.get(namespace);
    if (existing === undefined) return;
    const before = recordOf(existing.object["status"]);
    const conditions = namespaceConditions(before, remaining, timestamp(clock.now()));
    const status = { ...before, conditions };
    if (isJsonEqual(status, before)) return;
    storage.write(store, { ...existing.object, status });
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

  /** Pods, and all other resources. */
  #resources(): readonly [readonly ResourceDefinition[], readonly ResourceDefinition[]] {
    const all = this.#core.registry
      .definitions()
      .filter(({ namespaced, storedAs }) => namespaced && storedAs === undefined);
    const isPods = (one: ResourceDefinition): boolean => storageName(one) === "pods";
    return [all.filter(isPods), all.filter((one) => !isPods(one))];
  }

  #contents(definition: ResourceDefinition, namespace: string): readonly StoredObject[] {
    return this.#core.storage.store(storageName(definition)).objectsWithin(`${namespace}/`);
  }
}
