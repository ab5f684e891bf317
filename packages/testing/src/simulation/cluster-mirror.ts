import type { KubernetesObject } from "@listwatch/core-fifo";
import { deepFreeze, describeValue, isRecord } from "@listwatch/core-fifo/base";
import type { ResourceReference } from "@listwatch/client";
import type { FakeApiServer, LoggedEvent } from "@listwatch/fake-apiserver";
import type { ClusterState } from "./scenario.ts";

/** The objects of a cluster by resource and key, as its server's history tells. */
export class ClusterMirror implements ClusterState {
  readonly #server: FakeApiServer;
  readonly #elapsedMs: () => number;
  readonly #onWrite: () => void;
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  #revision = 0;

  /** @param onWrite called after each write since the first state, with the objects as of it */
  constructor(server: FakeApiServer, elapsedMs: () => number, onWrite = (): void => {}) {
    this.#server = server;
    this.#elapsedMs = elapsedMs;
    this.#onWrite = onWrite;
    for (const event of this.#newEvents()) this.#apply(event);
  }

  get nowMs(): number {
    return this.#elapsedMs();
  }

  /** Takes over the writes since the last call, one by one. */
  update(): void {
    for (const event of this.#newEvents()) {
      this.#apply(event);
      this.#onWrite();
    }
  }

  #newEvents(): readonly LoggedEvent[] {
    const { control } = this.#server;
    if (control.revision === this.#revision) return [];
    const events = control.eventLog(undefined, { after: this.#revision });
    this.#revision = control.revision;
    return events;
  }

  list<T extends KubernetesObject>(resource: ResourceReference<T>): readonly T[] {
    const held = [...(this.#objects.get(nameOf(resource)) ?? [])];
    held.sort(([left], [right]) => (left < right ? -1 : 1));
    // The server holds objects of this resource here, and its handle knows their type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return held.map(([, object]) => object as T);
  }

  get<T extends KubernetesObject>(resource: ResourceReference<T>, key: string): T | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#objects.get(nameOf(resource))?.get(key) as T | undefined;
  }

  #apply({ name, namespace, object, resource, type }: LoggedEvent): void {
    const held = this.#objects.get(resource) ?? new Map<string, KubernetesObject>();
    this.#objects.set(resource, held);
    const key = namespace === "" ? name : `${namespace}/${name}`;
    if (type === "DELETED") held.delete(key);
    else held.set(key, deepFreeze(object));
  }
}

function nameOf(handle: Pick<ResourceReference, "group" | "resource">): string {
  if (
    !isRecord(handle) ||
    typeof handle.group !== "string" ||
    typeof handle.resource !== "string"
  ) {
    throw new TypeError(`Cannot read objects: expected a resource, got ${describeValue(handle)}`);
  }
  const { group, resource } = handle;
  return group === "" ? resource : `${resource}.${group}`;
}
