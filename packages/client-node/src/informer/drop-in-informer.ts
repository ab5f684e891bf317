import { isNetworkError, isStatusError, type Connection, type Wire } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { ClusterConnection } from "@listwatch/client/node";
import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import {
  checkFunction,
  checkFunctions,
  checkOneOf,
  consoleLog,
  guardLog,
  hasCode,
  systemClock,
  type Clock,
  type Log,
} from "@listwatch/core-fifo/base";
import {
  httpListerWatcher,
  type ListerWatcher,
  type ReflectorErrorContext,
} from "@listwatch/reflector";
import {
  Informer as SharedInformer,
  ReflectorSource,
  type HandlerRegistration,
  type InformerOptions,
  type InformerStatus,
  type NamespaceIndex,
  type ReflectorSourceOptions,
} from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";
import { connectKubeConfig } from "../kubeconfig/connect-kube-config.ts";
import type { KubeConfigLike } from "../kubeconfig/kube-config-like.ts";
import { errorForProgram } from "./refused-error.ts";
import { Callbacks } from "./callbacks.ts";
import { joinSelectors, parseCollectionPath, type CollectionAddress } from "./collection-path.ts";
import type { DropInOptions } from "./drop-in-options.ts";
import { ListFunctionWatcher } from "./list-function-watcher.ts";
import { DropInSession, type OpenedSession } from "./drop-in-session.ts";
import { PausableSource } from "./pausable-source.ts";
import { revive, type Models } from "../wire/revive.ts";
import { SessionListerWatcher } from "./session-lister-watcher.ts";
import {
  ADD,
  CONNECT,
  DELETE,
  ERROR,
  UPDATE,
  type CHANGE,
  type ErrorCallback,
  type ListPromise,
  type ListWatch,
  type ObjectCallback,
  type ObjectVerb,
} from "./verbs.ts";

type CachedInformer = SharedInformer<KubernetesObject, NamespaceIndex>;
type CachedInformerOptions = ReflectorSourceOptions<KubernetesObject> &
  InformerOptions<KubernetesObject, NamespaceIndex>;

/** Failures in a row up to which what belongs to the protocol is none to the program. */
const maxRoutine = 3;

/** What a {@link DropInInformer} is made of. */
export interface DropInParts<T> {
  readonly config: KubeConfigLike;
  readonly path: string;
  readonly list: ListPromise<T>;
  readonly labelSelector: string | undefined;
  readonly options: DropInOptions;
}

/**
 * An informer with the surface of `@kubernetes/client-node`, made of one of ours, which it gives
 * out. See `makeInformer`.
 */
export class DropInInformer<T> implements ListWatch<T>, AsyncDisposable {
  readonly #parts: DropInParts<T>;
  readonly #address: CollectionAddress;
  readonly #callbacks = new Callbacks((error, verb) => this.#noteThrown(error, verb));
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #informer: CachedInformer;
  readonly #listerWatcher: SessionListerWatcher;
  readonly #registration: HandlerRegistration;
  readonly #source: PausableSource<KubernetesObject>;
  /** What is said once, however often the informer is started. */
  readonly #reported = new Set<string>();
  #session: DropInSession | undefined;
  /** The end of the sessions so far. */
  #stopped: Promise<void> = Promise.resolve();

  /** @throws {InvalidOptionsError} if an argument or an option cannot be used */
  constructor(parts: DropInParts<T>) {
    const { list, options, path } = parts;
    const { clock = systemClock, log = consoleLog } = options;
    checkFunction("listPromiseFn", list);
    checkOneOf("list", options.list, ["function", "path"]);
    checkModels(options.revive);
    this.#parts = parts;
    this.#address = parseCollectionPath(path);
    this.#clock = clock;
    this.#log = guardLog(log);
    this.#listerWatcher = new SessionListerWatcher(options.list === "path", {
      onConnect: () => this.#callbacks.call(CONNECT),
      version: () => this.latestResourceVersion(),
    });
    const informing = this.#informerOptions();
    this.#source = new PausableSource(new ReflectorSource(informing));
    this.#informer = new SharedInformer<KubernetesObject, NamespaceIndex>(this.#source, informing);
    this.#registration = this.#informer.addEventHandler(
      {
        onAdd: (object) => this.#callbacks.call(ADD, object),
        onUpdate: (_old, object) => this.#callbacks.call(UPDATE, object),
        onDelete: ({ object }) => {
          if (object !== undefined) this.#callbacks.call(DELETE, object);
        },
      },
      { changesOnly: true, name: "callbacks" },
    );
  }

  /**
   * The informer behind, with all that it can: handlers that get the objects of before, indexes,
   * selectors, event streams, waits. It runs from the first start on, and is not to be run or
   * disposed of by the program.
   */
  get informer(): SharedInformer<Wire<T>, NamespaceIndex> {
    // Objects are what the server sends, whose type only the program knows.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#informer as unknown as SharedInformer<Wire<T>, NamespaceIndex>;
  }

  /** Whether the first list is in the cache. Never goes back. */
  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  /** The present state: what the informer waits for, since when and why. */
  status(): InformerStatus {
    return this.#informer.status();
  }

  /**
   * Adds a callback. One that is added after the start is not called for what is in the cache.
   *
   * @throws {Error} `Unknown verb: …`
   */
  on(verb: ObjectVerb | CHANGE, callback: ObjectCallback<T>): void;
  on(verb: ERROR | CONNECT, callback: ErrorCallback): void;
  on(verb: string, callback: ObjectCallback<T> | ErrorCallback): void {
    this.#callbacks.add(verb, callback);
  }

  /**
   * Removes a callback, once if it was added several times.
   *
   * @throws {Error} `Unknown verb: …`
   */
  off(verb: ObjectVerb | CHANGE, callback: ObjectCallback<T>): void;
  off(verb: ERROR | CONNECT, callback: ErrorCallback): void;
  off(verb: string, callback: ObjectCallback<T> | ErrorCallback): void {
    this.#callbacks.remove(verb, callback);
  }

  get(name: string, namespace?: string): T | undefined {
    const key = isNoNamespace(namespace) ? name : `${namespace}/${name}`;
    return this.#ofProgram(this.#informer.store.getByKey(key));
  }

  list(namespace?: string): readonly T[] {
    const { store } = this.#informer;
    const objects = isNoNamespace(namespace) ? store.list() : store.byIndex("namespace", namespace);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return objects as unknown as readonly T[];
  }

  latestResourceVersion(): string {
    return this.#informer.lastStoreSyncResourceVersion;
  }

  /**
   * Starts, or starts again after a stop; resolves when the list is in the cache and the callbacks
   * have been called for it, or when the informer is stopped before. While the server cannot be
   * reached it is tried again, for as long as it takes, with `error` for each failure. A call while
   * it runs does nothing and returns the promise of the first one.
   *
   * After a stop the cache is as it was, and callbacks are called for what differs from it.
   *
   * @throws {ConfigError} if the KubeConfig cannot be used
   */
  start(): Promise<void> {
    this.#session ??= this.#begin();
    return this.#session.started;
  }

  /**
   * Stops; resolves when no request or timer is left and what was in the mailbox is delivered. The
   * cache stays as it is.
   */
  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) this.#stopped = session.stop();
    await this.#stopped;
  }

  /** Stops for good, with the informer behind. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#informer[Symbol.asyncDispose]();
  }

  #begin(): DropInSession {
    const session = new DropInSession({
      after: this.#stopped,
      open: () => this.#open(),
      delivered: () => this.#delivered(),
    });
    // One that has failed can be started again.
    void session.ended.then(() => {
      if (this.#session === session) this.#session = undefined;
      return undefined;
    });
    return session;
  }

  #open(): OpenedSession {
    const connection = this.#connect();
    this.#listerWatcher.use(this.#watcherOf(connection));
    const source = this.#source.begin();
    if (this.#informer.phase === "created") void this.#informer.run();
    return { source, close: async () => connection[Symbol.asyncDispose]?.() };
  }

  #connect(): Connection & Partial<ClusterConnection> {
    const { config, options } = this.#parts;
    const { connect, connection, log } = options;
    // One of the program's own stays open.
    if (connection !== undefined) {
      const { fetch, namespace, server } = connection;
      return { fetch, namespace, server };
    }
    return connectKubeConfig(config, { log, clock: this.#clock, ...connect });
  }

  #watcherOf(connection: Connection): ListerWatcher<KubernetesObject> {
    const { labelSelector, list, options } = this.#parts;
    const { namespace, resource } = this.#address;
    const labels = joinSelectors(this.#address.labelSelector, labelSelector);
    const watcher = httpListerWatcher({
      connection,
      resource,
      namespace,
      labelSelector: labels,
      fieldSelector: joinSelectors(this.#address.fieldSelector, options.fieldSelector),
      clock: this.#clock,
    });
    if (options.list === "path") return watcher;
    return new ListFunctionWatcher({
      list,
      watcher,
      labelSelector: labels,
      clock: this.#clock,
      version: () => this.latestResourceVersion(),
      report: (reason, error) => this.#reportOnce(reason, error),
    });
  }

  #informerOptions(): CachedInformerOptions {
    const { options, path } = this.#parts;
    const { name = path, retry, revive: models, telemetry, watch } = options;
    return {
      name,
      listerWatcher: this.#listerWatcher,
      indexers: namespaceIndex,
      clock: this.#clock,
      cache: { transform: models && ((object) => revive(object, models)) },
      watch,
      retry,
      telemetry: { ...telemetry, log: this.#log },
      onError: (error, origin) =>
        origin.kind === "watch" ? this.#noteFailure(error, origin) : this.#report(error),
    };
  }

  /** Whether all callbacks have been called; they are not awaited, so that none can hold it up. */
  async #delivered(): Promise<void> {
    while (this.#registration.backlog > 0) await this.#clock.nextTurn();
  }

  #noteFailure(error: unknown, context: ReflectorErrorContext): "log" | "retry" {
    if (!this.#callbacks.has(ERROR)) return "log";
    if (!isRoutine(error, context)) this.#callbacks.call(ERROR, errorForProgram(error));
    return "retry";
  }

  #noteThrown(error: unknown, verb: string): void {
    // What an `error` callback throws must not come back to it.
    if (verb === ERROR || !this.#callbacks.has(ERROR)) {
      this.#log.error("Callback of an informer threw", { verb, cause: error });
    } else this.#callbacks.call(ERROR, error);
  }

  #reportOnce(reason: string, error: Error): void {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#report(error);
  }

  #report(error: unknown): void {
    if (this.#callbacks.has(ERROR)) this.#callbacks.call(ERROR, errorForProgram(error));
    else this.#log.error("Informer goes on after an error", { cause: error });
  }

  #ofProgram(object: Cached<KubernetesObject> | undefined): T | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T | undefined;
  }
}

/** Programs without types also say it with `null`. */
function isNoNamespace(namespace: string | null | undefined): namespace is "" | null | undefined {
  return (namespace ?? "") === "";
}

/** @throws {InvalidOptionsError} if they are not what a module with model classes exports */
function checkModels(models: Models | undefined): void {
  if (models !== undefined) checkFunctions("revive", models, ["V1ObjectMeta"]);
}

/**
 * What client-node reconnects after without an `error`: the history has expired, the server has
 * closed a watch or is silent. What goes on without an end is none of these.
 */
function isRoutine(error: unknown, { attempts, recovery }: ReflectorErrorContext): boolean {
  if (attempts > maxRoutine) return false;
  return (
    isExpired(error) ||
    isNetworkError(error, "timeout") ||
    hasCode(error, "LW_VERY_SHORT_WATCH") ||
    (recovery === "list" && isStatusError(error))
  );
}
