/** A watch that can be ended from the server's side. */
export interface EndableWatch {
  end(): void;
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

  /** Ends all watches of a resource cleanly, as after a change of its definition. */
  end(resource: string): void {
    for (const watch of this.#byResource.get(resource) ?? []) watch.end();
  }

  /** Ends every watch cleanly, as a restart does. */
  endAll(): void {
    for (const resource of this.#byResource.keys()) this.end(resource);
  }
}
