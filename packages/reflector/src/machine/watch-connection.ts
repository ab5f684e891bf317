import type { WatchEvent, WatchOptions } from "@listwatch/client";
import { asBatch } from "./event-batch.ts";
import { eventsOf } from "../source/checked-source.ts";
import { leave } from "../internal/leave.ts";
import { workingWatchMs, type ReflectorCore } from "./reflector-core.ts";
import { RequestScope } from "./request-scope.ts";

/** One watch, from its request to its end. */
export class WatchConnection<T> {
  /** Objects of this connection that were used. */
  events = 0;
  readonly #core: ReflectorCore<T>;
  readonly #scope: RequestScope;
  readonly #timeoutMs: number;
  /** Before the request: some proxies hold the headers back until the first event (REF-39). */
  #sinceMs: number;
  #iterator: AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]> | undefined;
  #pushedBack: readonly WatchEvent<T>[] | undefined;

  private constructor(core: ReflectorCore<T>, scope: RequestScope, timeoutSeconds: number) {
    this.#core = core;
    this.#scope = scope;
    this.#timeoutMs = timeoutSeconds * 1000;
    this.#sinceMs = core.clock.now();
  }

  /**
   * Asks for a watch and waits until the server has accepted it.
   *
   * @throws what asking failed with; nothing is left open then
   */
  static async open<T>(
    core: ReflectorCore<T>,
    options: WatchOptions,
    parent: AbortSignal,
    silenceMs: number,
  ): Promise<WatchConnection<T>> {
    const timeoutSeconds = core.watchTimeoutSeconds();
    const what = `Couldn't watch for ${core.name}`;
    const scope = new RequestScope({ clock: core.clock, parent, silenceMs, what });
    scope.limit(timeoutSeconds * 1000 + core.watchGraceMs);
    const connection = new WatchConnection(core, scope, timeoutSeconds);
    core.metrics.watches?.inc();
    try {
      const stream = await scope.wait(
        core.listerWatcher.watch(
          { ...options, allowWatchBookmarks: true, timeoutSeconds },
          { signal: scope.signal },
        ),
      );
      connection.#iterator = eventsOf(stream);
      core.watchSinceMs = connection.#sinceMs;
      return connection;
    } catch (error) {
      scope.close();
      throw error;
    }
  }

  get signal(): AbortSignal {
    return this.#scope.signal;
  }

  get ageMs(): number {
    return this.#core.clock.now() - this.#sinceMs;
  }

  /** Whether it ended before it can be said to have worked (REF-35). */
  get isVeryShort(): boolean {
    return this.ageMs < workingWatchMs && this.events === 0;
  }

  /** Whether the server ended it because the time it was asked for is over. */
  get isTimedOut(): boolean {
    // Servers count from the moment they accept; a second of theirs may be a little less of ours.
    return this.ageMs >= this.#timeoutMs - 1000;
  }

  /** The initial list is over: age and events begin anew (REF-24). */
  handOver(rest: readonly WatchEvent<T>[], silenceMs: number): void {
    this.#sinceMs = this.#core.clock.now();
    this.events = 0;
    this.#pushedBack = rest;
    this.#scope.silenceMs = silenceMs;
  }

  /**
   * The events that came together; none when only the connection showed life, `undefined` at the
   * end of the stream.
   *
   * @throws what the connection broke with, or the reason of its abort
   */
  async next(): Promise<readonly WatchEvent<T>[] | undefined> {
    const rest = this.#pushedBack;
    if (rest !== undefined) {
      this.#pushedBack = undefined;
      return rest;
    }
    if (this.#iterator === undefined) return undefined;
    const { done, value } = await this.#scope.wait(this.#iterator.next());
    if (done === true) return undefined;
    return asBatch(value);
  }

  /** Waits for something else while the connection is not read; no silence of the server. */
  async pauseFor(room: Promise<void>): Promise<void> {
    await this.#scope.pause(room);
  }

  /** Ends the stream if it is still open. */
  close(cause?: unknown): void {
    const durationMs = this.ageMs;
    const { metrics, name, resourceVersion } = this.#core;
    this.#core.noteWatchAge();
    this.#core.watchSinceMs = undefined;
    this.#scope.close();
    if (this.#iterator !== undefined) leave(this.#iterator);
    this.#iterator = undefined;
    metrics.watchDuration?.observe(durationMs / 1000);
    metrics.itemsPerWatch?.observe(this.events);
    if (durationMs < workingWatchMs && this.events === 0) metrics.shortWatches?.inc();
    this.#core.trace({
      kind: "watchEnded",
      reflector: name,
      cause,
      durationMs,
      events: this.events,
      resourceVersion,
    });
  }

  abort(reason: unknown): void {
    this.#scope.abort(reason);
  }
}
