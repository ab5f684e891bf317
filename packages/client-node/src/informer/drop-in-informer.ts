import { requiredType } from "@listwatch/reflector/base";
import { isNetworkError, isStatusError, type Connection, type Wire } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import type { ClusterConnection } from "@listwatch/client/node";
import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import {
  asPlain,
  consoleLog,
  createInvalidOptionError,
  guardLog,
  hasCode,
  systemClock,
  type Clock,
  type Log,
  checkOptions,
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
import { dropInTable, type DropInOptions } from "./drop-in-options.ts";
import { ListFunction } from "./list-function.ts";
import { DropInSession, type OpenedSession } from "./drop-in-session.ts";
import { connectToPath, nameOtherPath } from "./other-path.ts";
import { PausableSource } from "./pausable-source.ts";
import { revive } from "../wire/revive.ts";
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

/** Routine failures in a row that are not reported to the program. */
const maxRoutine = 3;

export interface DropInParts<T> {
  readonly config: KubeConfigLike;
  readonly path: string;
  readonly list: ListPromise<T>;
  readonly labelSelector: string | undefined;
  readonly options: DropInOptions;
}

/** A `SharedInformer` with the interface of `@kubernetes/client-node`. See `makeInformer`. */
export class DropInInformer<T> implements ListWatch<T>, AsyncDisposable {
  readonly #parts: DropInParts<T>;
  readonly #callbacks = new Callbacks((error, verb) => this.#noteThrown(error, verb));
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #informer: CachedInformer;
  readonly #listerWatcher: SessionListerWatcher;
  readonly #registration: HandlerRegistration;
  readonly #source: PausableSource<KubernetesObject>;
  #listFunction: ListFunction | undefined;
  /** Whether the cache was whole at the stop, so that a watch can continue it. */
  #isResumable = false;
  /** Reasons that have been reported; each is reported once, even after a restart. */
  readonly #reported = new Set<string>();
  #session: DropInSession | undefined;
  /** Resolves when the previous sessions have ended. */
  #stopped: Promise<void> = Promise.resolve();

  /** @throws {InvalidOptionsError} if an option cannot be used */
  constructor(parts: DropInParts<T>) {
    const { options } = parts;
    checkOptions(options, dropInTable, requiredType);
    const { clock = systemClock, log = consoleLog } = options;
    this.#parts = parts;
    this.#clock = clock;
    this.#log = guardLog(log);
    this.#listerWatcher = new SessionListerWatcher({
      clock,
      isStreamed: options.list === "path",
      onConnect: () => this.#callbacks.call(CONNECT),
      version: () => this.latestResourceVersion(),
      objects: () => this.#informer.store.list().map((object) => asPlain(object)),
    });
    this.#source = new PausableSource(new ReflectorSource(this.#sourceOptions()));
    this.#informer = new SharedInformer(this.#source, this.#informerOptions());
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
   * The underlying informer, with replaying handlers, indexes, selectors, event streams and waits.
   * It runs from the first start on. The program must neither run nor dispose of it.
   */
  get informer(): SharedInformer<Wire<T>, NamespaceIndex> {
    // Objects stay as the server sends them; only the program knows their type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#informer as unknown as SharedInformer<Wire<T>, NamespaceIndex>;
  }

  /** Whether the first list is in the cache. Never becomes false again. */
  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  /** The current state: what the informer waits for, since when and why. */
  status(): InformerStatus {
    return this.#informer.status();
  }

  /**
   * Adds a callback. A callback added after the start is not called for cached objects.
   *
   * @throws {Error} `Unknown verb: …`
   */
  on(verb: ObjectVerb | CHANGE, callback: ObjectCallback<T>): void;
  on(verb: ERROR | CONNECT, callback: ErrorCallback): void;
  on(verb: string, callback: ObjectCallback<T> | ErrorCallback): void {
    this.#callbacks.add(verb, callback);
  }

  /**
   * Removes one registration of a callback.
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
   * Starts, or restarts after a stop. Resolves when the list is in the cache, the callbacks have
   * been called for it and the watch has been answered, or when the informer is stopped before
   * that. While the server cannot be reached, the informer retries without a limit and reports each
   * failure to `error`. A call while the informer runs returns the promise of the first call.
   *
   * A stop keeps the cache. A restart resumes the watch where the stop ended it, without a list. It
   * lists if the cache was not whole at the stop, or the server no longer has that history. The
   * callbacks are then called for the differences only.
   *
   * @throws {InvalidOptionsError} if path or list function cannot be used
   * @throws {ConfigError} if the KubeConfig cannot be used
   */
  start(): Promise<void> {
    this.#session ??= this.#begin();
    return this.#session.started;
  }

  /**
   * Stops the informer and keeps its cache. Resolves when no request or timer is left and queued
   * events have been delivered.
   */
  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    if (session !== undefined) {
      this.#isResumable = this.#isWhole();
      this.#stopped = session.stop();
    }
    await this.#stopped;
  }

  /** Stops permanently, the underlying informer included. */
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
    // A session that failed can be started again.
    void session.ended.then(() => {
      if (this.#session === session) this.#session = undefined;
      return undefined;
    });
    return session;
  }

  #open(): OpenedSession {
    const { list, options, path } = this.#parts;
    if (typeof list !== "function" && options.list !== "path") {
      throw createInvalidOptionError("listPromiseFn", "a function", list);
    }
    const address = parseCollectionPath(path);
    const connection = this.#connect();
    const close = async (): Promise<void> => connection[Symbol.asyncDispose]?.();
    this.#listerWatcher.use(this.#watcherOf(connection, address), this.#isResumable);
    this.#isResumable = false;
    const { watched } = this.#listerWatcher;
    const source = this.#source.begin();
    if (this.#informer.phase === "created") void this.#informer.run();
    return { source, watched, close };
  }

  /** Whether the cache shows everything up to its version, and the source had no problem. */
  #isWhole(): boolean {
    const { problem, queuedDeltas, source } = this.#informer.status();
    const isWatching = source?.phase === "watching" && queuedDeltas === 0;
    return isWatching && problem === undefined && /^\d+$/.test(this.latestResourceVersion());
  }

  #connect(): Connection & Partial<ClusterConnection> {
    const { config, options } = this.#parts;
    const { connect, connection, log } = options;
    // A connection that the program supplied stays open.
    if (connection !== undefined) {
      const { fetch, namespace, server } = connection;
      return { fetch, namespace, server };
    }
    return connectKubeConfig(config, { log, clock: this.#clock, ...connect });
  }

  #watcherOf(
    connection: Connection,
    { fieldSelector, namespace, otherPath, resource, ...address }: CollectionAddress,
  ): ListerWatcher<KubernetesObject> {
    const { options } = this.#parts;
    const labelSelector = joinSelectors(address.labelSelector, this.#parts.labelSelector);
    const collection = httpListerWatcher({
      connection: otherPath === undefined ? connection : connectToPath(connection, otherPath),
      resource,
      namespace,
      labelSelector,
      fieldSelector: joinSelectors(fieldSelector, options.fieldSelector),
      clock: this.#clock,
      // Model objects need all members at once.
      lazy: false,
    });
    const watcher = otherPath === undefined ? collection : nameOtherPath(collection, otherPath);
    if (options.list === "path") return watcher;
    this.#listFunction ??= new ListFunction({
      list: this.#parts.list,
      labelSelector,
      clock: this.#clock,
      version: () => this.latestResourceVersion(),
      report: (reason, error) => this.#reportOnce(reason, error),
    });
    return this.#listFunction.over(watcher);
  }

  #sourceOptions(): ReflectorSourceOptions<KubernetesObject> {
    const { options, path } = this.#parts;
    const { name = path, retry, revive: models, telemetry, watch } = options;
    return {
      name,
      listerWatcher: this.#listerWatcher,
      clock: this.#clock,
      cache: { transform: models && ((object) => revive(object, models)) },
      watch,
      retry,
      telemetry: { ...telemetry, log: this.#log },
    };
  }

  #informerOptions(): InformerOptions<KubernetesObject, NamespaceIndex> {
    const { options, path } = this.#parts;
    return {
      name: options.name ?? path,
      indexers: namespaceIndex,
      // Programs written for client-node may change what they get.
      cache: { freeze: false },
      clock: this.#clock,
      telemetry: { metrics: options.telemetry?.metrics, log: this.#log },
      onError: (error, origin) =>
        origin.kind === "watch" ? this.#noteFailure(error, origin) : this.#report(error),
    };
  }

  /** Waits until all callbacks have been called. Their promises are not awaited: they could hang. */
  async #delivered(): Promise<void> {
    while (this.#registration.backlog > 0) await this.#clock.nextTurn();
  }

  #noteFailure(error: unknown, context: ReflectorErrorContext): "log" | "retry" {
    // The list function has returned an older list, which is accepted.
    if (this.#listFunction?.isOlderInUse === true && hasCode(error, "LW_OTHER_HISTORY")) {
      return "retry";
    }
    if (!this.#callbacks.has(ERROR)) return "log";
    if (!isRoutine(error, context)) this.#callbacks.call(ERROR, errorForProgram(error));
    return "retry";
  }

  #noteThrown(error: unknown, verb: string): void {
    // An error thrown by an `error` callback must not be passed back to it.
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

/** Programs without types also pass `null`. */
function isNoNamespace(namespace: string | null | undefined): namespace is "" | null | undefined {
  return (namespace ?? "") === "";
}

/**
 * Failures after which client-node reconnects without calling `error`: an expired history, a watch
 * that the server closed, a silent watch. More than `maxRoutine` in a row are reported.
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
