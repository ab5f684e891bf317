/** Writes and arrivals that wait for each other; older ones are forgotten. */
const mostOpen = 2000;
/** Ages that are kept. */
const mostAges = 200;

/**
 * How old changes are when a handler sees them: from the request that made the change until the
 * handler's call.
 */
export class ChangeAges {
  readonly #writtenMs = new Map<string, number>();
  readonly #arrivedMs = new Map<string, number>();
  #ages: { readonly atMs: number; readonly ageMs: number }[] = [];

  /** Notes when the request was sent that gave an object this version. */
  noteWrite(resourceVersion: string, sentMs: number): void {
    // The event may be here before the answer of the write.
    const arrivedMs = this.#arrivedMs.get(resourceVersion);
    if (arrivedMs === undefined) put(this.#writtenMs, resourceVersion, sentMs);
    else this.#add(arrivedMs, arrivedMs - sentMs);
    this.#arrivedMs.delete(resourceVersion);
  }

  /** Notes that a handler was called with this version. */
  noteArrival(resourceVersion: string, atMs: number): void {
    const sentMs = this.#writtenMs.get(resourceVersion);
    if (sentMs === undefined) put(this.#arrivedMs, resourceVersion, atMs);
    else this.#add(atMs, atMs - sentMs);
    this.#writtenMs.delete(resourceVersion);
  }

  /** The median age of what arrived since a time, and of how many; `undefined` when nothing did. */
  medianSince(sinceMs: number): { readonly ageMs: number; readonly count: number } | undefined {
    const ages = this.#ages.filter(({ atMs }) => atMs >= sinceMs).map(({ ageMs }) => ageMs);
    const ageMs = ages.toSorted((a, b) => a - b)[Math.floor(ages.length / 2)];
    return ageMs === undefined ? undefined : { ageMs, count: ages.length };
  }

  #add(atMs: number, ageMs: number): void {
    this.#ages.push({ atMs, ageMs });
    if (this.#ages.length > 2 * mostAges) this.#ages = this.#ages.slice(-mostAges);
  }
}

function put(map: Map<string, number>, key: string, value: number): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > mostOpen && oldest !== undefined) map.delete(oldest);
}
