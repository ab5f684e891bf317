import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ResourceReference } from "@listwatch/client";
import type { FakeApiServer, LoggedEvent } from "@listwatch/fake-apiserver";
import type { ClusterState } from "./scenario.ts";

/** The objects of a cluster by resource and key, as its server's history tells. */
export class ClusterMirror implements ClusterState {
  readonly #server: FakeApiServer;
  readonly #elapsedMs: () => number;
  readonly #objects = new Map<string, Map<string, KubernetesObject>>();
  #revision = 0;

  constructor(server: FakeApiServer, elapsedMs: () => number) {
    this.#server = server;
    this.#elapsedMs = elapsedMs;
  }

  get nowMs(): number {
    return this.#elapsedMs();
  }

  /** Takes over what was written since the last call. Returns the new events. */
  update(): readonly LoggedEvent[] {
    const { control } = this.#server;
    if (control.revision === this.#revision) return [];
    const events = control.eventLog(undefined, { after: this.#revision });
    this.#revision = control.revision;
    for (const event of events) this.#apply(event);
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
    else held.set(key, object);
  }
}

function nameOf({ group, resource }: Pick<ResourceReference, "group" | "resource">): string {
  return group === "" ? resource : `${resource}.${group}`;
}
