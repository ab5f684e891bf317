import type { MatchableRequest } from "../../control/requests.ts";

// Enough to see what a rule missed, and short enough for a message.
const mostShown = 8;
// A bound for rules that are set for days; what is more is only counted.
const mostKinds = 1000;

/** Counts the requests that a rule saw, by kind, for the message of a rule that still waits. */
export class SeenRequests {
  readonly #counts: Map<string, number> = new Map();
  #total = 0;

  add(request: MatchableRequest): void {
    this.#total++;
    const kind = kindOf(request);
    const count = this.#counts.get(kind) ?? 0;
    if (count > 0 || this.#counts.size < mostKinds) this.#counts.set(kind, count + 1);
  }

  /** `2 × watch pods with sendInitialEvents, 1 × GET /version`: the most frequent ones. */
  describe(): string {
    if (this.#total === 0) return "nothing";
    const sorted = [...this.#counts].toSorted(([, left], [, right]) => right - left);
    const shown = sorted.slice(0, mostShown);
    const texts = shown.map(([kind, count]) => `${count} × ${kind}`);
    const others = shown.reduce((left, [, count]) => left - count, this.#total);
    return [...texts, ...(others > 0 ? [`${others} others`] : [])].join(", ");
  }
}

function kindOf({
  group,
  method,
  path,
  query,
  resource,
  subresource,
  verb,
}: MatchableRequest): string {
  if (resource === "") return `${method} ${path}`;
  const name = group === "" ? resource : `${resource}.${group}`;
  const whole = subresource === "" ? name : `${name}/${subresource}`;
  // Rules for lists wait for these in vain: an informer streams its first list.
  const isStreamedList = verb === "watch" && query.get("sendInitialEvents") === "true";
  return `${verb} ${whole}${isStreamedList ? " with sendInitialEvents" : ""}`;
}
