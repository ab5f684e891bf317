import type { KubernetesObject } from "@listwatch/core-fifo";
import { AlreadyRunningError, ReflectorStoppedError } from "../errors.ts";
import { LinkedController } from "../internal/linked-controller.ts";
import { ListPhase } from "./list-phase.ts";
import type { PhaseEnd } from "./phase-end.ts";
import { ReflectorCore } from "./reflector-core.ts";
import { WatchListPhase } from "./watch-list-phase.ts";
import { WatchPhase } from "./watch-phase.ts";
import type { ReflectorOptions } from "./reflector-options.ts";
import type { ReflectorStatus } from "./reflector-status.ts";

/**
 * Keeps a store in step with a collection on an API server: it lists, then follows the changes, and
 * starts over whenever something goes wrong, for as long as it runs. No failure of the network or
 * the server ends it.
 *
 * ```
 *            ┌────────────── delay ◀───────────────┐
 *            ▼                                     │ expired, refused, failed
 *   watch-list ──bookmark──▶ watch ────────────────┤
 *      │ refused           ▲   │ closed, broken    │
 *      ▼                   │   └──▶ watch again    │
 *     list ──last page─────┘                       │
 *      └───────────────────────────────────────────┘
 * ```
 *
 * Guaranteed: the states of one object reach the store in the server's order, some may be skipped,
 * none is repeated out of order; whatever happened before, the store equals the server once it is
 * reachable and quiet. Not guaranteed: that every state is seen, or that a deletion is seen as such
 * (it may come as a `replace` without the object).
 *
 * ```ts
 * import { RealFIFO } from "@listwatch/core-fifo";
 * import { httpListerWatcher, Reflector } from "@listwatch/reflector";
 *
 * const reflector = new Reflector({
 *   listerWatcher: httpListerWatcher({
 *     server: "http://127.0.0.1:8001",
 *     resource: { group: "", version: "v1", resource: "pods" },
 *     fetch: async () => Response.json({ kind: "Status", code: 403 }, { status: 403 }),
 *   }),
 *   store: new RealFIFO(),
 *   onError: (_error, { attempts }) => (attempts === 1 ? "stop" : "retry"),
 * });
 * const reason = await reflector.run().catch((error: unknown) => error);
 * if (!(reason instanceof Error)) throw new Error("unreachable");
 * ```
 */
export class Reflector<T extends KubernetesObject = KubernetesObject> implements AsyncDisposable {
  readonly #core: ReflectorCore<T>;
  readonly #watchList: WatchListPhase<T>;
  readonly #list: ListPhase<T>;
  #running: { readonly controller: LinkedController; readonly ended: Promise<void> } | undefined;

  /** @throws {InvalidOptionsError} if a number is out of its range */
  constructor(options: ReflectorOptions<T>) {
    this.#core = new ReflectorCore(options);
    this.#watchList = new WatchListPhase(this.#core);
    this.#list = new ListPhase(this.#core);
  }

  get name(): string {
    return this.#core.name;
  }

  /**
   * The state that the store has been brought to; `""` before the first list. Survives the end of a
   * run.
   */
  get lastSyncResourceVersion(): string {
    return this.#core.resourceVersion;
  }

  /** How it is, as of now. */
  status(): ReflectorStatus {
    return this.#core.status();
  }

  /**
   * Runs until the signal is aborted; resolves when everything that it started has ended. It can be
   * run again afterwards, and goes on from where it was.
   *
   * @throws {AlreadyRunningError} if it runs already
   * @throws the error for which `onError` said "stop", or what `onError` threw
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#running !== undefined) throw new AlreadyRunningError(this.name);
    const controller = new LinkedController(signal);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = { controller, ended: promise };
    let stopped: { readonly reason: unknown } | undefined;
    this.#core.begin((reason) => {
      stopped ??= { reason };
      controller.abort(reason);
    });
    try {
      await this.#loop(controller.signal);
    } finally {
      controller.release();
      this.#core.end();
      this.#running = undefined;
      resolve();
    }
    if (stopped !== undefined) throw stopped.reason;
  }

  /**
   * Resolves once the store has been brought to this resourceVersion or a later one, so that a
   * program that got it from a write can read what it wrote.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws {ReflectorStoppedError} if the run ends before or has ended; before the first run it
   *   waits
   * @throws the signal's reason when it is aborted before
   */
  async waitForResourceVersion(
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    const { name, phase, waiters } = this.#core;
    const reached = waiters.wait(resourceVersion, options);
    // What was reached already has resolved before this is heard.
    if (phase === "stopped" && this.#running === undefined) {
      waiters.end(new ReflectorStoppedError(name));
    }
    return reached;
  }

  /** Stops the run, if there is one, and waits for its end. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.ended;
  }

  async #loop(signal: AbortSignal): Promise<void> {
    const core = this.#core;
    while (!signal.aborted) {
      const end = await this.#listAndWatch(signal);
      if (signal.aborted || end.kind === "stopped") return;
      const cause = end.kind === "failed" ? end.error : undefined;
      const delayMs = core.nextDelayMs(cause);
      core.trace({ kind: "relist", reflector: core.name, cause, delayMs });
      await core.pause(delayMs, signal);
    }
  }

  async #listAndWatch(signal: AbortSignal): Promise<PhaseEnd> {
    const core = this.#core;
    const watch = new WatchPhase(core);
    let refused = false;
    if (core.wantsWatchList) {
      const end = await this.#watchList.run(signal);
      if (end.kind === "done") return watch.run(signal, end.connection);
      if (end.kind === "stopped") return end;
      ({ refused } = end);
    }
    const listed = await this.#list.run(signal);
    if (listed.kind !== "done") return listed;
    // Only now it is certain that the server refused the option and not the resource.
    if (refused) core.rememberRefusal();
    return watch.run(signal);
  }
}
