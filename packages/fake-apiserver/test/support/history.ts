import type { Json, WatchEvent } from "./api-client.ts";

/** The objects that a list or a watch selects. */
export interface View {
  readonly namespace?: string | undefined;
  readonly label?: readonly [string, string] | undefined;
}

/** The events of a resource, one for each revision, as one watch saw them. */
export class History {
  readonly #events: WatchEvent[] = [];

  add(event: WatchEvent): void {
    this.#events.push(event);
  }

  get events(): readonly WatchEvent[] {
    return this.#events;
  }

  /** Returns the objects in a view at a revision, by key. */
  stateAt(revision: number, view: View = {}): ReadonlyMap<string, Json> {
    const state = new Map<string, Json>();
    for (const { object, type } of this.#events) {
      if (revisionOf(object) > revision) break;
      if (type === "DELETED" || !isIn(object, view)) state.delete(keyOf(object));
      else state.set(keyOf(object), object);
    }
    return state;
  }

  /** Returns the events that a watch must deliver between two revisions, as `TYPE key@revision`. */
  eventsBetween(from: number, to: number, view: View): readonly string[] {
    const state = new Map<string, Json>();
    const expected: string[] = [];
    for (const { object, type } of this.#events) {
      const key = keyOf(object);
      const revision = revisionOf(object);
      if (revision > to) break;
      const was = state.get(key);
      const isNow = type !== "DELETED" && isIn(object, view);
      if (isNow) state.set(key, object);
      else state.delete(key);
      if (revision <= from || (was === undefined && !isNow)) continue;
      const shown = was === undefined ? "ADDED" : isNow ? "MODIFIED" : "DELETED";
      expected.push(`${shown} ${key}@${revision}`);
    }
    return expected;
  }

  before(key: string, revision: number): WatchEvent | undefined {
    return this.#events.findLast(
      ({ object }) => keyOf(object) === key && revisionOf(object) < revision,
    );
  }
}

export function keyOf(object: Json): string {
  return `${object["metadata"].namespace}/${object["metadata"].name}`;
}

export function revisionOf(object: Json): number {
  return Number(object["metadata"].resourceVersion);
}

function isIn(object: Json, { label, namespace }: View): boolean {
  const { labels, namespace: actual } = object["metadata"];
  if (namespace !== undefined && namespace !== actual) return false;
  return label === undefined || labels?.[label[0]] === label[1];
}
