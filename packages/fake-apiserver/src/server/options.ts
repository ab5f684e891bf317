import {
  checkAtLeast,
  checkIntegerAtLeast,
  checkObject,
  checkOneOf,
  type Clock,
  createInvalidOptionError,
  isRecord,
} from "@listwatch/core-fifo/base";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { UserSettings, Authorization } from "../api/access.ts";
import type { ApiObject } from "../api/api-object.ts";
import { readAdmission, readAuthorization, readUsers } from "./access-options.ts";
import type { ServerSettings } from "../verbs/server-core.ts";
import type { Seed } from "./seeds.ts";

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
   * Objects that exist from the start, with their status; may be of the kinds of `crds`. Namespaces
   * that they are in are made, unless they are among them or `namespaces` is `permissive`.
   *
   * @default none
   */
  readonly objects?: Iterable<ApiObject> | undefined;
  /**
   * What a server makes itself: what a real one does at its start (`full`: the service
   * `kubernetes`, roles and bindings, priority classes, flow schemas and more, about 190 objects),
   * or the four namespaces that every cluster has (`namespaces`), so that tests may count what
   * there is.
   *
   * @default "namespaces"
   */
  readonly bootstrap?: "full" | "namespaces" | undefined;
  /**
   * Whether clients may create objects in namespaces that do not exist. A real cluster refuses it
   * (`strict`, 404); with `permissive`, tests that are not about namespaces need not create them.
   * The objects of `objects` are taken in any case.
   *
   * @default "strict"
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
   * When the dependents of deleted objects go, by their owner references: in the turn of the delete
   * (`instant`), 100 ms later by the clock (`controller`), or not at all, as by a real server that
   * has no controllers (`never`). The same holds for what waits for a foreground or an orphaning
   * deletion, for objects whose owners have never existed, and for deleted volumes and claims that
   * nothing uses.
   *
   * @default "instant"
   */
  readonly garbageCollection?: "instant" | "controller" | "never" | undefined;
  /**
   * Whether what built-in objects say besides their metadata is checked as by a real server
   * (`full`: a pod needs containers, the selector of a Deployment its template's labels), or taken
   * as it is (`off`), which suits tests whose objects are little more than names. Metadata and
   * custom resources are checked in both.
   *
   * @default "full"
   */
  readonly validation?: "full" | "off" | undefined;
  /**
   * Whether `shardSelector` (KEP-5866) divides lists and watches. It is alpha in 1.36; without the
   * feature the parameter is ignored.
   *
   * @default false
   */
  readonly shardedListAndWatch?: boolean | undefined;
  /**
   * The users of the server by their bearer tokens. Requests with other tokens are refused with
   * 401, and so are those without credentials, unless `authorization` is given: then they are from
   * `system:anonymous`. Tokens of service accounts and client certificates count besides.
   *
   * @default every request is from `kubernetes-admin`, a member of `system:masters`
   */
  readonly users?: Readonly<Record<string, UserSettings>> | undefined;
  /**
   * What users may do. `rbac`: what the stored roles and bindings allow, and everything for members
   * of `system:masters`. A function: what it allows, and besides discovery, `/version`, health and
   * reviews of oneself; it is called before bodies are read and objects looked for.
   *
   * @default everything
   */
  readonly authorization?: Authorization | undefined;
  /**
   * Functions that change or refuse writes, in the place of admission webhooks; they are called in
   * their order.
   *
   * @default none
   */
  readonly admission?: Iterable<AdmissionPlugin> | undefined;
  /** How watches behave. */
  readonly watch?: WatchSettings | undefined;
  /** What the server holds and takes at most. */
  readonly limits?: LimitSettings | undefined;
}

/** What a {@link FakeApiServer} holds and takes at most. */
export interface LimitSettings {
  /**
   * Bytes of JSON that an object may have when it is stored. Larger ones are refused with 500 and
   * the text of etcd, whose limit it is.
   *
   * @default 1572864
   */
  readonly objectBytes?: number | undefined;
  /** Bytes that the body of a request may have. Larger ones are refused with 413. @default 3145728 */
  readonly bodyBytes?: number | undefined;
  /**
   * Events that are kept of each resource. Watches and exact lists from before them are refused
   * with 410.
   *
   * @default 10000
   */
  readonly historyEvents?: number | undefined;
  /** Bytes of JSON that the events of each resource may have together. @default 67108864 */
  readonly historyBytes?: number | undefined;
}

/** How the watches of a {@link FakeApiServer} behave. */
export interface WatchSettings {
  /** Milliseconds between the periodic bookmarks of a watch. @default 60000 */
  readonly bookmarkIntervalMs?: number | undefined;
  /** Events that may wait for the reader of a watch before it is ended. @default 10000 */
  readonly bufferEvents?: number | undefined;
  /** Bytes of JSON that these events may have together. @default 67108864 */
  readonly bufferBytes?: number | undefined;
}

// k8s.io/apiserver cacher: `bookmarkFrequency`.
const defaultBookmarkIntervalMs = 60_000;
// A real server has room for 10 to 1,000 events and waits a moment; here a whole batch of writes
// may happen in one turn.
const defaultBufferEvents = 10_000;
const defaultBufferBytes = 64 * 1024 * 1024;

// k8s.io/apiserver `MaxRequestBodyBytes`.
const defaultBodyBytes = 3_145_728;

/** The choices that the verbs look at. @throws {@link InvalidOptionsError} */
export function readSettings(options: FakeApiServerOptions): ServerSettings {
  checkOneOf("namespaces", options.namespaces, ["strict", "permissive"]);
  checkOneOf("namespaceDeletion", options.namespaceDeletion, ["instant", "controller", "never"]);
  checkOneOf("podDeletion", options.podDeletion, ["instant", "kubelet", "never"]);
  checkOneOf("garbageCollection", options.garbageCollection, ["instant", "controller", "never"]);
  checkOneOf("bootstrap", options.bootstrap, ["full", "namespaces"]);
  checkOneOf("validation", options.validation, ["full", "off"]);
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
  const watchBufferBytes = options.watch?.bufferBytes ?? defaultBufferBytes;
  checkAtLeast("watch.bufferBytes", watchBufferBytes, 1);
  const { bodyBytes = defaultBodyBytes, ...storage } = readLimits(options.limits);
  return {
    bodyBytes,
    storage,
    bookmarkIntervalMs,
    watchBufferEvents,
    watchBufferBytes,
    shardedListAndWatch: options.shardedListAndWatch ?? false,
    namespaces: options.namespaces ?? "strict",
    namespaceDeletion: options.namespaceDeletion ?? "instant",
    podDeletion: options.podDeletion ?? "instant",
    garbageCollection: options.garbageCollection ?? "instant",
    validation: options.validation ?? "full",
    bootstrap: options.bootstrap ?? "namespaces",
    users: readUsers(options.users),
    authorization: readAuthorization(options.authorization),
    admission: readAdmission(options.admission),
  };
}

function readLimits(limits: LimitSettings = {}): LimitSettings {
  checkObject("limits", limits);
  const { bodyBytes, historyBytes, historyEvents, objectBytes } = limits;
  for (const [name, value] of Object.entries({ bodyBytes, historyBytes, objectBytes })) {
    checkAtLeast(`limits.${name}`, value, 1);
  }
  checkAtLeast("limits.historyEvents", historyEvents, 0);
  return { bodyBytes, historyBytes, historyEvents, objectBytes };
}

/** The objects of an option with their places. @throws {@link InvalidOptionsError} */
export function readObjects(
  option: "crds" | "objects",
  objects: Iterable<ApiObject> | undefined,
): readonly Seed[] {
  return Array.from(objects ?? [], (object, index) => {
    const place = `${option}[${index}]`;
    if (!isRecord(object)) throw createInvalidOptionError(place, "a Kubernetes object", object);
    return { place, object };
  });
}
