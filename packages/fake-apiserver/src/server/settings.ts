import {
  checkAtLeast,
  checkIntegerAtLeast,
  checkObject,
  checkOneOf,
  createInvalidOptionError,
  isRecord,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { ServerSettings } from "../verbs/server-core.ts";
import { readAdmission, readAuthorization, readUsers } from "./access-options.ts";
import type { FakeApiServerOptions, LimitSettings } from "./options.ts";
import type { Seed } from "./seeds.ts";

// k8s.io/apiserver cacher: `bookmarkFrequency`.
const defaultBookmarkIntervalMs = 60_000;
// A real server has room for 10 to 1,000 events and waits a moment; here a whole batch of writes
// may happen in one turn.
const defaultBufferEvents = 10_000;
const defaultBufferBytes = 64 * 1024 * 1024;

// k8s.io/apiserver `MaxRequestBodyBytes`.
const defaultBodyBytes = 3_145_728;

/** Returns the settings that the verbs look at. @throws {@link InvalidOptionsError} */
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
  for (const name of ["bodyBytes", "historyBytes", "objectBytes", "totalHistoryBytes"] as const) {
    checkAtLeast(`limits.${name}`, limits[name], 1);
  }
  checkAtLeast("limits.historyEvents", limits.historyEvents, 0);
  return limits;
}

/** Returns the objects of an option with their places. @throws {@link InvalidOptionsError} */
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
