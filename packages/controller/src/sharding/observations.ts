import type { RingView } from "./ring-state.ts";

/** When this process has first seen the current state of each other member, by its own clock. */
export class Observations {
  readonly #seen = new Map<string, { readonly version: string; readonly atMs: number }>();

  /**
   * Notes a list. An owner without a Lease is observed too, since others may have deleted it, and
   * so is `""`, the owner of slots that have none: such a slot may have had one in a ring that was
   * deleted or restored.
   *
   * @param nowMs time after the answer to the list
   */
  observe({ members, ring }: RingView, self: string, nowMs: number): void {
    const names = new Set(["", ...members.keys(), ...(ring?.owners ?? [])]);
    names.delete(self);
    for (const name of names) {
      const version = members.get(name)?.version ?? "missing";
      if (this.#seen.get(name)?.version !== version) this.#seen.set(name, { version, atMs: nowMs });
    }
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
  }

  /**
   * Returns the time for which a member has shown no change, in milliseconds.
   *
   * @param startMs beginning of the list that shows its state: a process that was frozen since then
   *   has not seen what happened meanwhile
   */
  silence(name: string, startMs: number): number {
    return startMs - (this.#seen.get(name)?.atMs ?? Infinity);
  }

  /** Forgets everything, because earlier observations may belong to another history. */
  clear(): void {
    this.#seen.clear();
  }
}
