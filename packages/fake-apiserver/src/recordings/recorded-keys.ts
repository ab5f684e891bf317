import { recordOf, stringOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ListLine, ObjectLine, RecordedResource } from "./format.ts";

/** Returns namespace and name of an object: `default/web`, or `node-1`. */
export function recordedKey(object: JsonObject): string {
  const { name, namespace } = recordOf(object["metadata"]);
  return namespace === undefined ? stringOf(name) : `${stringOf(namespace)}/${stringOf(name)}`;
}

/** A list whose objects have not all been read. */
interface OpenList {
  readonly keys: Set<string>;
  left: number;
}

/** Keys of the recorded objects, by resource. Finds the keys that a repeated list lacks. */
export class RecordedKeys {
  readonly #known = new Map<number, Set<string>>();
  readonly #lists = new Map<number, OpenList>();

  /** Whether the objects of a list of this resource are being read. */
  isListing(resource: number): boolean {
    return this.#lists.has(resource);
  }

  /**
   * Takes the next line of the recording.
   *
   * @returns the keys that this line's list no longer contains, once it is complete
   */
  take(line: ListLine | ObjectLine): readonly string[] {
    const { resource } = line;
    const known = this.#known.get(resource) ?? new Set();
    this.#known.set(resource, known);
    if (line.type === "LIST") {
      this.#lists.set(resource, { keys: new Set(), left: line.items });
    } else {
      const key = recordedKey(line.object);
      if (line.type === "DELETED") known.delete(key);
      else known.add(key);
      if (line.type === "LISTED") this.#listed(resource, key);
    }
    return this.#missing(resource, known);
  }

  #listed(resource: number, key: string): void {
    const list = this.#lists.get(resource);
    if (list === undefined) return;
    list.keys.add(key);
    list.left--;
  }

  #missing(resource: number, known: Set<string>): readonly string[] {
    const list = this.#lists.get(resource);
    if (list === undefined || list.left > 0) return [];
    this.#lists.delete(resource);
    const missing = [...known].filter((key) => !list.keys.has(key));
    for (const key of missing) known.delete(key);
    return missing;
  }
}

/** Returns the plural name of a resource with its group: `deployments.apps`. */
export function resourceName({ group, resource }: RecordedResource): string {
  return group === "" ? resource : `${resource}.${group}`;
}
