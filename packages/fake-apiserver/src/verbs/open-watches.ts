/** A watch that can be ended from the server's side. */
export interface EndableWatch {
  /** Ends cleanly after what waits for the reader. */
  finish(): void;
}

/** The open watches of a server, by resource in storage. */
export class OpenWatches {
  readonly #byResource = new Map<string, Set<EndableWatch>>();

  add(resource: string, watch: EndableWatch): void {
    const watches = this.#byResource.get(resource) ?? new Set();
    this.#byResource.set(resource, watches.add(watch));
  }

  remove(resource: string, watch: EndableWatch): void {
    const watches = this.#byResource.get(resource);
    watches?.delete(watch);
    if (watches?.size === 0) this.#byResource.delete(resource);
  }

  /**
   * Ends all watches of a resource cleanly, as after a change of its definition; what waits is
   * still delivered.
   */
  finish(resource: string): void {
    for (const watch of this.#byResource.get(resource) ?? []) watch.finish();
  }
}
