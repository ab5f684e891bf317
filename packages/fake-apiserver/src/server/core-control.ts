import type { Clock } from "@listwatch/core-fifo/base";
import type { CoreSnapshot, LoggedEvent } from "../control/server-control.ts";
import type { CompactionOptions, ControlledCore } from "../faults/control/controlled-core.ts";
import { demand } from "../faults/inputs/demand.ts";
import { groupResource, storageName } from "../api/registry.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { StorageSnapshot } from "../storage/storage.ts";

/** A part that derives something from the state of a server. */
export interface Reloaded {
  /** The state was replaced. */
  reload(): void;
}

/** The access of the server control to the state of a server. */
export class CoreControl implements ControlledCore {
  readonly clock: Clock;
  readonly random: () => number;
  readonly #core: ServerCore;
  readonly #controllers: readonly Reloaded[];
  readonly #states = new WeakMap<CoreSnapshot, StorageSnapshot>();

  constructor(core: ServerCore, controllers: readonly Reloaded[], random: () => number) {
    this.#core = core;
    this.#controllers = controllers;
    this.clock = core.clock;
    this.random = random;
  }

  currentRevision(): number {
    return this.#core.storage.revision;
  }

  advanceRevision(): number {
    return this.#core.storage.advance();
  }

  compact(revision: number, options: CompactionOptions): void {
    const { storage } = this.#core;
    storage.compact(revision);
    for (const store of storage.stores()) {
      if (!options.watches) continue;
      store.raiseWatchFloor(revision);
      store.dropHistory(revision);
    }
  }

  setWatchFloor(resource: string, revision: number): void {
    const { registry, storage } = this.#core;
    const found = registry.definitions().find((served) => groupResource(served) === resource);
    demand(found !== undefined, "resource", "a resource the server has, such as pods", resource);
    if (found !== undefined) storage.store(storageName(found)).raiseWatchFloor(revision);
  }

  eventLog(resource?: string, after = 0): readonly LoggedEvent[] {
    const { registry, storage, views } = this.#core;
    const events: LoggedEvent[] = [];
    for (const definition of registry.definitions()) {
      const name = groupResource(definition);
      const [served] = definition.versions;
      // Without a resource each write is listed once, under the resource in whose storage it is.
      const isWanted =
        resource === undefined ? definition.storedAs === undefined : resource === name;
      if (served === undefined || !isWanted) continue;
      const presenter = views.presenter({ definition, served });
      const store = storage.store(storageName(definition));
      const floor = Math.max(after, store.historyFloor);
      for (const { revision, stored, type } of store.eventsAfter(floor)) {
        const { name: objectName, namespace } = stored;
        const object = presenter.object(stored);
        events.push({ revision, type, resource: name, namespace, name: objectName, object });
      }
    }
    return events.toSorted((left, right) => left.revision - right.revision);
  }

  snapshot(): CoreSnapshot {
    const state = this.#core.storage.snapshot();
    const snapshot = { revision: state.revision };
    this.#states.set(snapshot, state);
    return snapshot;
  }

  has(snapshot: CoreSnapshot): boolean {
    return this.#states.has(snapshot);
  }

  restore(snapshot: CoreSnapshot, mode: "continue" | "rollback"): void {
    const state = this.#states.get(snapshot);
    if (state === undefined) return;
    const { storage } = this.#core;
    const before = storage.revision;
    storage.restore(state);
    for (const controller of this.#controllers) controller.reload();
    if (mode === "continue") {
      storage.advance(before + 1);
      for (const store of storage.stores()) store.raiseWatchFloor(storage.revision);
    }
  }
}
