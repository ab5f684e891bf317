import { compareResourceVersions, metaNamespaceKey } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";
import type { ConfigMap } from "./cluster.ts";
import { MapStore } from "./running.ts";

/** A store that detects when an object goes back in time. */
export class WatchfulStore extends MapStore {
  readonly backInTime: string[] = [];

  override add(object: ConfigMap): void {
    this.#look(object);
    super.add(object);
  }

  override update(object: ConfigMap): void {
    this.#look(object);
    super.update(object);
  }

  override replace(objects: readonly ConfigMap[], resourceVersion: string): void {
    for (const object of objects) this.#look(object);
    super.replace(objects, resourceVersion);
  }

  #look(object: ConfigMap): void {
    const key = metaNamespaceKey(object);
    const held = resourceVersionOf(this.objects.get(key));
    const next = resourceVersionOf(object) ?? "";
    if (held !== undefined && compareResourceVersions(held, next) > 0) this.backInTime.push(key);
  }
}

/** Returns the largest number of times within a window of this length. */
export function mostWithin(times: readonly number[], windowMs: number): number {
  const counts = times.map(
    (first) => times.filter((time) => time >= first && time < first + windowMs).length,
  );
  return Math.max(0, ...counts);
}
