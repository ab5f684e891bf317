import { constants } from "node:os";
import {
  createClient,
  NetworkError,
  isStatusError,
  type Connection,
  type DiscoveredResource,
} from "@listwatch/client";
import { describeError, escapeFieldValue } from "@listwatch/core-fifo/base";
import type { ListerWatcher, ReflectorRecovery } from "@listwatch/reflector";
import { mayExpectTls } from "../doctor/reach.ts";
import { printable, createPrinter, type Format } from "./node-print-event.ts";

/** Resource or object to follow. */
export interface Followed {
  /** Any name of the resource. */
  readonly resource: string;
  /** Name of a single object. */
  readonly name: string | undefined;
  readonly namespace: string;
  readonly allNamespaces: boolean;
  /** Label selector. */
  readonly selector: string | undefined;
  readonly format: Format;
}

/**
 * Prints the objects, and then their changes, until Ctrl-C.
 *
 * @throws {Error} if the server has no such resource, or does not watch it; the server's refusal of
 *   the first list
 */
export async function follow(connection: Connection, followed: Followed): Promise<void> {
  // Loaded while the server answers the first request.
  const informers = loadInformers();
  const print = await createPrinter(followed.format);
  const resource = await findResource(connection, followed.resource);
  const { createListerWatcher, SharedInformer } = await informers;
  const { allNamespaces, name, namespace, selector } = followed;
  const inAll = allNamespaces || resource.scope === "Cluster";
  const notices = new WatchNotices(`${resource.resource}${inAll ? "" : ` in ${namespace}`}`);
  const source = createListerWatcher({
    connection,
    resource,
    namespace: inAll ? undefined : namespace,
    labelSelector: selector,
    fieldSelector: name === undefined ? undefined : `metadata.name=${escapeFieldValue(name)}`,
  });
  const look = (): void => {
    // Before the end of the list, an empty cache does not mean that there are no objects.
    if (!informer.hasSynced) return;
    const { problem, source: state } = informer.status();
    if (problem !== undefined || state?.phase !== "watching") return;
    notices.sayWatching(state.resourceVersion, informer.lister.list().length);
  };
  const informer = new SharedInformer({ listerWatcher: noticingWatches(source, look) });
  informer.setWatchErrorHandler((error, { recovery }) => {
    if (informer.hasSynced || !isRefusal(error)) notices.sayFailure(error);
    // A watch that has worked may work again; an initial refusal is permanent.
    return informer.hasSynced || !isFinal(error, recovery) ? "retry" : "stop";
  });
  informer.addEventHandler({
    onAdd: (object) => print("ADDED", object),
    onUpdate: (before, object) => print("MODIFIED", object, before),
    onDelete: ({ object }) => {
      if (object !== undefined) print("DELETED", object);
    },
  });
  // The list may be complete after the last event of the watch. A refusal ends `run` as well.
  void informer.synced.then(look, () => {});
  const stop = new AbortController();
  exitWithSignal(stop);
  await informer.run(stop.signal);
}

/** Calls `onProgress` when a watch is open, and when its events have been processed. */
function noticingWatches<T>(source: ListerWatcher<T>, onProgress: () => void): ListerWatcher<T> {
  return {
    ...source,
    watch: async (options, context) => {
      const stream = await source.watch(options, context);
      // Runs after the promise of this function, whose result the informer awaits.
      setTimeout(onProgress);
      return noticing(stream, onProgress);
    },
  };
}

async function* noticing<B>(stream: AsyncIterable<B>, onProgress: () => void): AsyncGenerator<B> {
  for await (const batch of stream) {
    yield batch;
    onProgress();
  }
}

async function findResource(connection: Connection, name: string): Promise<DiscoveredResource> {
  const { discovery } = createClient(connection, { retries: 0 });
  const resource = await discovery.forResource(name).catch((error: unknown) => {
    if (!(error instanceof NetworkError) || !mayExpectTls(connection.server, error)) throw error;
    const advice = "it may expect TLS: write https:// in the address";
    throw new Error(`${error.message}; ${advice}`, { cause: error });
  });
  if (resource === undefined) {
    throw new Error(`Cannot watch "${name}": ${connection.server} has no such resource`);
  }
  if (!resource.verbs.includes("watch")) {
    throw new Error(`Cannot watch ${resource.resource}: the server has no watches of them`);
  }
  return resource;
}

async function loadInformers() {
  const [{ httpListerWatcher: createListerWatcher }, { SharedInformer }] = await Promise.all([
    import("@listwatch/reflector"),
    import("@listwatch/shared-informer"),
  ]);
  return { createListerWatcher, SharedInformer };
}

/** Notices on the error output while the watch runs. */
class WatchNotices {
  readonly #watched: string;
  #hasWatched = false;
  #hasFailed = false;

  constructor(watched: string) {
    this.#watched = watched;
  }

  sayFailure(error: unknown): void {
    this.#hasFailed = true;
    this.#say(`interrupted, and tried again: ${describeError(error)}`);
  }

  /** Called while the watch works, with the number of objects. */
  sayWatching(resourceVersion: string, objects: number): void {
    if (!this.#hasWatched && objects === 0) this.#say(`no ${this.#watched} yet, waiting for them`);
    this.#hasWatched = true;
    if (this.#hasFailed) this.#say(`watching again from resourceVersion ${resourceVersion}`);
    this.#hasFailed = false;
  }

  #say(text: string): void {
    console.error(`listwatch: ${printable(text)}`);
  }
}

/** Whether the server will refuse again: 4xx except temporary ones. */
function isRefusal(error: unknown): boolean {
  if (!isStatusError(error)) return false;
  const { httpCode } = error;
  return httpCode >= 400 && httpCode < 500 && ![408, 410, 429].includes(httpCode);
}

/**
 * Whether the same request will be refused again. After a 401 the credentials may be renewed, and a
 * server may only refuse to stream the list: an ordinary one follows at once.
 */
function isFinal(error: unknown, recovery: ReflectorRecovery): boolean {
  if (isStatusError(error, "Forbidden", "NotFound")) return true;
  const isUnusable =
    isStatusError(error) && [400, 405, 406, 413, 415, 422].includes(error.httpCode);
  return isUnusable && recovery !== "list" && recovery !== "newest";
}

/** Aborts on Ctrl-C, a kill and the end of the terminal, with the exit codes of shells. */
function exitWithSignal(stop: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      stop.abort();
    });
  }
}
