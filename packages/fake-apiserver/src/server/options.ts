import {
  checkIntegerAtLeast,
  checkObject,
  checkOneOf,
  type Clock,
  createInvalidOptionError,
  isRecord,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/resource-definition.ts";
import type { ServerSettings } from "../verbs/server-core.ts";

/** Options of a {@link FakeApiServer}. */
export interface FakeApiServerOptions {
  /** The server's source of time. @default the clock of the machine */
  readonly clock?: Clock | undefined;
  /**
   * Equal seeds give equal uids, generated names and other random choices.
   *
   * @default an unpredictable one
   */
  readonly seed?: number | string | undefined;
  /**
   * The release that `/version` names. The behaviour is that of 1.36 in any case.
   *
   * @default "1.36.4"
   */
  readonly serverVersion?: string | undefined;
  /** CustomResourceDefinitions to serve from the start. @default none */
  readonly crds?: Iterable<ApiObject> | undefined;
  /**
   * Objects that exist from the start, with their status; may be of the kinds of `crds`.
   *
   * @default none
   */
  readonly objects?: Iterable<ApiObject> | undefined;
  /**
   * Whether objects may be created in namespaces that do not exist. A real cluster refuses it
   * (`strict`, 404); tests of anything but namespaces rarely want to create them first.
   *
   * @default "permissive"
   */
  readonly namespaces?: "strict" | "permissive" | undefined;
  /**
   * When deleted namespaces are emptied: in the same turn (`instant`), 100 ms later (`controller`),
   * or not at all, as by a real server that has no controllers (`never`).
   *
   * @default "instant"
   */
  readonly namespaceDeletion?: "instant" | "controller" | "never" | undefined;
  /**
   * What becomes of deleted pods that run on a node: they are removed at once (`instant`), after
   * their grace period (`kubelet`), or by a second delete without one (`never`).
   *
   * @default "instant"
   */
  readonly podDeletion?: "instant" | "kubelet" | "never" | undefined;
  /**
   * Whether `shardSelector` (KEP-5866) divides lists and watches. It is alpha in 1.36; without the
   * feature the parameter is ignored.
   *
   * @default false
   */
  readonly shardedListAndWatch?: boolean | undefined;
  /** How watches behave. */
  readonly watch?: WatchSettings | undefined;
}

/** How the watches of a {@link FakeApiServer} behave. */
export interface WatchSettings {
  /** Milliseconds between the periodic bookmarks of a watch. @default 60000 */
  readonly bookmarkIntervalMs?: number | undefined;
  /** Events that may wait for the reader of a watch before it is ended. @default 10000 */
  readonly bufferEvents?: number | undefined;
}

// k8s.io/apiserver cacher: `bookmarkFrequency`.
const defaultBookmarkIntervalMs = 60_000;
// A real server has room for 10 to 1,000 events and waits a moment; here a whole batch of writes
// may
// happen in one turn.
const defaultBufferEvents = 10_000;

/** The choices that the verbs look at. @throws {@link InvalidOptionsError} */
export function readSettings(options: FakeApiServerOptions): ServerSettings {
  checkOneOf("namespaces", options.namespaces, ["strict", "permissive"]);
  checkOneOf("namespaceDeletion", options.namespaceDeletion, ["instant", "controller", "never"]);
  checkOneOf("podDeletion", options.podDeletion, ["instant", "kubelet", "never"]);
  checkObject("watch", options.watch ?? {});
  const { seed = 0 } = options;
  if (typeof seed !== "string" && !Number.isFinite(seed)) {
    throw createInvalidOptionError("seed", "a string or a finite number", seed);
  }
  const bookmarkIntervalMs = options.watch?.bookmarkIntervalMs ?? defaultBookmarkIntervalMs;
  if (!Number.isFinite(bookmarkIntervalMs) || bookmarkIntervalMs <= 0) {
    const expected = "milliseconds above 0";
    throw createInvalidOptionError("watch.bookmarkIntervalMs", expected, bookmarkIntervalMs);
  }
  const watchBufferEvents = options.watch?.bufferEvents ?? defaultBufferEvents;
  checkIntegerAtLeast("watch.bufferEvents", watchBufferEvents, 1);
  return {
    bookmarkIntervalMs,
    watchBufferEvents,
    shardedListAndWatch: options.shardedListAndWatch ?? false,
    namespaces: options.namespaces ?? "permissive",
    namespaceDeletion: options.namespaceDeletion ?? "instant",
    podDeletion: options.podDeletion ?? "instant",
  };
}

/** The objects of an option as an array. @throws {@link InvalidOptionsError} for what is no object */
export function readObjects(
  option: "crds" | "objects",
  objects: Iterable<ApiObject> | undefined,
): readonly ApiObject[] {
  const list = [...(objects ?? [])];
  for (const [index, object] of list.entries()) {
    if (isRecord(object)) continue;
    throw createInvalidOptionError(`${option}[${index}]`, "a Kubernetes object", object);
  }
  return list;
}
