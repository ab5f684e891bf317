import type { ListContext, ListOptions, WatchOptions } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";

/** What a {@link SessionListerWatcher} calls. */
export interface SessionHooks {
  /** Called before each list, and before each watch that does not follow a list. */
  readonly onConnect: () => void;
  /** The resourceVersion of what is in the cache; `""` if nothing is. */
  readonly version: () => string;
}

/** Lists and watches with what the session of now has for it, and tells when it connects. */
export class SessionListerWatcher implements ListerWatcher<KubernetesObject> {
  readonly watchListSupported: boolean;
  readonly #hooks: SessionHooks;
  #current: ListerWatcher<KubernetesObject> | undefined;
  /** The watch that is opened next belongs to a list. */
  #hasListed = false;

  constructor(watchListSupported: boolean, hooks: SessionHooks) {
    this.watchListSupported = watchListSupported;
    this.#hooks = hooks;
  }

  /** From now on what is asked for is asked of this one. */
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

  /** The first list of a session takes any state: it must not be older than the cache. */
  #notBefore(options: ListOptions): ListOptions {
    const version = this.#hooks.version();
    const isAny = options.resourceVersion === "0" && version !== "";
    return isAny ? { ...options, resourceVersion: version } : options;
  }
}
