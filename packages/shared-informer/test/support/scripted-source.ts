import type { WatchEvent, WatchOptions, RequestContext } from "@listwatch/client";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";
import type { ConfigMap } from "./cluster.ts";

/** A source with an empty list of resourceVersion 10, and a watch that sends arbitrary events. */
export class ScriptedSource implements ListerWatcher<ConfigMap> {
  readonly watchListSupported = false;
  /** Number of watches being read. */
  openWatches = 0;
  readonly #events: WatchEvent<ConfigMap>[] = [];
  #wake: () => void = () => {};

  /** Sends an event for `shop/name`. */
  send(name: string, resourceVersion: string): void {
    const metadata = { namespace: "shop", name, resourceVersion, uid: `uid of ${name}` };
    this.#events.push({ type: "ADDED", object: { metadata } });
    this.#wake();
  }

  async list(): Promise<ListResult<ConfigMap>> {
    return { metadata: { resourceVersion: "10" }, items: [] };
  }

  async watch(_: WatchOptions, { signal }: RequestContext): Promise<WatchStream<ConfigMap>> {
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    return this.#read(signal);
  }

  async *#read(signal: AbortSignal): AsyncGenerator<readonly WatchEvent<ConfigMap>[]> {
    this.openWatches++;
    try {
      while (!signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>();
        this.#wake = resolve;
        yield this.#events.splice(0);
        if (this.#events.length === 0 && !signal.aborted) await promise;
      }
    } finally {
      this.openWatches--;
    }
  }
}
