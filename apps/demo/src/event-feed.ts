import type { Clock, KubernetesObject } from "listwatch";

/** One call of a handler. */
export interface ObjectEvent {
  readonly kind: "add" | "update" | "delete";
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  /** One phrase about the object: `Pending → Running`. */
  readonly detail: string;
  readonly atMs: number;
  /** Since the request that made the change, if the demo made it. */
  readonly ageMs: number | undefined;
}

const keptEvents = 500;
const keptSeconds = 60;
const annotation = "listwatch-demo/written-ms";

/** The events of a run: the last ones, the totals, and the count of each second. */
export class EventFeed {
  total = 0;
  readonly totals: Record<ObjectEvent["kind"], number> = { add: 0, update: 0, delete: 0 };
  readonly #recent: ObjectEvent[] = [];
  /** Counts by second since 1970. */
  readonly #perSecond = new Map<number, number>();

  record(event: ObjectEvent): void {
    this.total++;
    this.totals[event.kind]++;
    this.#recent.push(event);
    if (this.#recent.length > 2 * keptEvents) this.#recent.splice(0, keptEvents);
    const second = Math.floor(event.atMs / 1000);
    this.#perSecond.set(second, (this.#perSecond.get(second) ?? 0) + 1);
    const [oldest = 0] = this.#perSecond.keys();
    if (oldest < second - keptSeconds) this.#perSecond.delete(oldest);
  }

  /** The last events, newest first. */
  newest(count: number): readonly ObjectEvent[] {
    return count > 0 ? this.#recent.slice(-count).toReversed() : [];
  }

  /** Counts of the last whole seconds, oldest first. */
  history(nowMs: number): readonly number[] {
    const first = Math.floor(nowMs / 1000) - keptSeconds;
    const seconds = Array.from({ length: keptSeconds }, (_, index) => first + index);
    return seconds.map((second) => this.#perSecond.get(second) ?? 0);
  }

  /** The median age of the last events since a time; `undefined` without any. */
  medianAge(sinceMs: number): { readonly ageMs: number; readonly count: number } | undefined {
    const ages = this.#recent.flatMap((event) => (event.atMs < sinceMs ? [] : (event.ageMs ?? [])));
    const ageMs = ages.toSorted((a, b) => a - b)[Math.floor(ages.length / 2)];
    return ageMs === undefined ? undefined : { ageMs, count: ages.length };
  }
}

/** Annotations for a write that is sent now: they give the age of the change when it arrives. */
export function writtenNow(clock: Clock): Readonly<Record<string, string>> {
  return { [annotation]: String(clock.now()) };
}

/** When the demo sent this state of an object, if it did. */
export function writtenAt(object: KubernetesObject | undefined): number | undefined {
  const text = object?.metadata?.annotations?.[annotation];
  return text === undefined ? undefined : Number(text);
}
