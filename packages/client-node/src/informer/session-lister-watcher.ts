import type { ListContext, ListOptions, WatchOptions } from "@listwatch/client";
import type { Clock, KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";

/** Milliseconds after which a start no longer waits for the answer to its watch. */
const maxOpeningMs = 1000;

export interface SessionParts {
  readonly clock: Clock;
  /** Whether lists are streamed. */
  readonly isStreamed: boolean;
  /** Called before each list, and before each watch that resumes without a list. */
  readonly onConnect: () => void;
  /** The resourceVersion of the cache; `""` if it is empty. */
  readonly version: () => string;
  /** The objects of the cache. */
  readonly objects: () => readonly KubernetesObject[];
}

/** Forwards lists and watches to the current session, and reports when it connects. */
export class SessionListerWatcher implements ListerWatcher<KubernetesObject> {
  readonly #parts: SessionParts;
  #current: ListerWatcher<KubernetesObject> | undefined;
  /** Whether the next list is the content of the cache, which the watch continues. */
  #isResuming = false;
  /** Whether the next watch continues a list. */
  #hasListed = false;
  #watched: PromiseWithResolvers<void> = Promise.withResolvers();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Read at the start of each session. A stream of the cache's content would need a request. */
  get watchListSupported(): boolean {
    return this.#parts.isStreamed && !this.#isResuming;
  }

  /**
   * Resolves when the first watch of the session has been answered, with an error only after a
   * list. Waits for one answer for a second at most: proxies may hold it back until an event.
   */
  get watched(): Promise<void> {
    return this.#watched.promise;
  }

  /**
   * Forwards later requests to this one.
   *
   * @param isResuming whether to watch from the version of the cache, without a list
   */
  use(current: ListerWatcher<KubernetesObject>, isResuming: boolean): void {
    this.#current = current;
    this.#isResuming = isResuming;
    this.#hasListed = false;
    this.#watched = Promise.withResolvers();
  }

  async list(
    options: ListOptions,
    context: ListContext<KubernetesObject>,
  ): Promise<ListResult<KubernetesObject>> {
    if (this.#isResuming) {
      this.#isResuming = false;
      const { objects, version } = this.#parts;
      return { metadata: { resourceVersion: version() }, items: objects() };
    }
    if (options.continue === undefined) this.#parts.onConnect();
    this.#hasListed = false;
    const result = await this.#source.list(this.#notBefore(options), context);
    this.#hasListed = true;
    return result;
  }

  async watch(
    options: WatchOptions,
    context: ListContext<KubernetesObject>,
  ): Promise<WatchStream<KubernetesObject>> {
    const { resolve } = this.#watched;
    const hasListed = this.#hasListed;
    if (!hasListed) this.#parts.onConnect();
    this.#hasListed = false;
    const timer = this.#parts.clock.setTimeout(resolve, maxOpeningMs);
    try {
      const stream = await this.#source.watch(options, context);
      resolve();
      return stream;
    } catch (error) {
      if (hasListed) resolve();
      throw error;
    } finally {
      timer.cancel();
    }
  }

  get #source(): ListerWatcher<KubernetesObject> {
    if (this.#current === undefined) throw new Error("Expected a session, got none");
    return this.#current;
  }

  /** The first list of a session accepts any version; it must not be older than the cache. */
  #notBefore(options: ListOptions): ListOptions {
    const version = this.#parts.version();
    const isAny = options.resourceVersion === "0" && version !== "";
    return isAny ? { ...options, resourceVersion: version } : options;
  }
}
