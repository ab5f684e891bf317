import type { ListContext, ListOptions, WatchOptions } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";

export interface SessionHooks {
  /** Called before each list, and before each watch that resumes without a list. */
  readonly onConnect: () => void;
  /** The resourceVersion of the cache; `""` if it is empty. */
  readonly version: () => string;
}

/** Forwards lists and watches to the current session, and reports when it connects. */
export class SessionListerWatcher implements ListerWatcher<KubernetesObject> {
  readonly watchListSupported: boolean;
  readonly #hooks: SessionHooks;
  #current: ListerWatcher<KubernetesObject> | undefined;
  /** Whether the next watch continues a list. */
  #hasListed = false;

  constructor(watchListSupported: boolean, hooks: SessionHooks) {
    this.watchListSupported = watchListSupported;
    this.#hooks = hooks;
  }

  /** Forwards later requests to this one. */
  use(current: ListerWatcher<KubernetesObject>): void {
    this.#current = current;
    this.#hasListed = false;
  }

  async list(
    options: ListOptions,
    context: ListContext<KubernetesObject>,
  ): Promise<ListResult<KubernetesObject>> {
    if (options.continue === undefined) this.#hooks.onConnect();
    this.#hasListed = false;
    const result = await this.#source.list(this.#notBefore(options), context);
    this.#hasListed = true;
    return result;
  }

  async watch(
    options: WatchOptions,
    context: ListContext<KubernetesObject>,
  ): Promise<WatchStream<KubernetesObject>> {
    if (!this.#hasListed) this.#hooks.onConnect();
    this.#hasListed = false;
    return this.#source.watch(options, context);
  }

  get #source(): ListerWatcher<KubernetesObject> {
    if (this.#current === undefined) throw new Error("Expected a session, got none");
    return this.#current;
  }

  /** The first list of a session accepts any version; it must not be older than the cache. */
  #notBefore(options: ListOptions): ListOptions {
    const version = this.#hooks.version();
    const isAny = options.resourceVersion === "0" && version !== "";
    return isAny ? { ...options, resourceVersion: version } : options;
  }
}
