import {
  createInvalidOptionError,
  isRecord,
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aNumber,
  anInteger,
  anIterable,
  anything,
  aString,
  oneOf,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { ServerSettings } from "../verbs/server-core.ts";
import { readServices, serviceTable } from "./service-options.ts";
import { readAdmission, readAuthorization, readUsers, readWebhooks } from "./access-options.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
import type { FakeApiServerOptions, LimitSettings, WatchSettings } from "./options.ts";
import type { Seed } from "./seeds.ts";

// k8s.io/apiserver cacher: `bookmarkFrequency`.
const defaultBookmarkIntervalMs = 60_000;
// A real server has room for 10 to 1,000 events and waits a moment; here a whole batch of writes
// may happen in one turn.
const defaultBufferEvents = 10_000;
const defaultBufferBytes = 64 * 1024 * 1024;

// k8s.io/apiserver `MaxRequestBodyBytes`.
const defaultBodyBytes = 3_145_728;

const reaction = oneOf("instant", "controller", "never");

const serverTable: OptionsOf<FakeApiServerOptions> = {
  clock: aClock,
  seed: (value) =>
    typeof value === "string" || Number.isFinite(value) ? undefined : "a string or a finite number",
  serverVersion: aString,
  firstVersion: (value) =>
    typeof value === "bigint" && value > 0n && value < 2n ** 63n
      ? undefined
      : "a bigint from 1n to 2n ** 63n - 1n",
  // These are read, and checked, one by one.
  crds: anIterable,
  objects: anIterable,
  bootstrap: oneOf("full", "namespaces"),
  namespaces: oneOf("strict", "permissive"),
  namespaceDeletion: reaction,
  podDeletion: oneOf("instant", "kubelet", "never"),
  garbageCollection: reaction,
  controllers: anything,
  pods: aFunction,
  validation: oneOf("full", "off"),
  shardedListAndWatch: aBoolean,
  managedFieldsOptOut: aBoolean,
  users: anything,
  authorization: anything,
  admission: anIterable,
  webhooks: [
    oneOf("ignore"),
    { fetch: aFunction, services: anything } satisfies OptionsOf<WebhookSettings>,
  ],
  log: aLog,
  services: serviceTable,
  watch: {
    bookmarkIntervalMs: (value) =>
      Number.isFinite(value) && Number(value) > 0 ? undefined : "milliseconds above 0",
    bufferEvents: anInteger(1),
    bufferBytes: aNumber(1),
  } satisfies OptionsOf<WatchSettings>,
  limits: {
    objectBytes: aNumber(1),
    bodyBytes: aNumber(1),
    historyEvents: aNumber(0),
    historyBytes: aNumber(1),
    totalHistoryBytes: aNumber(1),
  } satisfies OptionsOf<LimitSettings>,
};

/** Returns the settings that the verbs look at. @throws {@link InvalidOptionsError} */
export function readSettings(options: FakeApiServerOptions): ServerSettings {
  checkOptions(options, serverTable);
  const {
    bookmarkIntervalMs = defaultBookmarkIntervalMs,
    bufferEvents = defaultBufferEvents,
    bufferBytes = defaultBufferBytes,
  } = options.watch ?? {};
  const { bodyBytes = defaultBodyBytes, ...limits } = options.limits ?? {};
  return {
    bodyBytes,
    storage: { ...limits, firstVersion: options.firstVersion },
    services: readServices(options.services),
    bookmarkIntervalMs,
    watchBufferEvents: bufferEvents,
    watchBufferBytes: bufferBytes,
    shardedListAndWatch: options.shardedListAndWatch ?? false,
    managedFieldsOptOut: options.managedFieldsOptOut ?? false,
    namespaces: options.namespaces ?? "strict",
    namespaceDeletion: options.namespaceDeletion ?? "instant",
    podDeletion: options.podDeletion ?? "instant",
    garbageCollection: options.garbageCollection ?? "instant",
    validation: options.validation ?? "full",
    bootstrap: options.bootstrap ?? "namespaces",
    users: readUsers(options.users),
    authorization: readAuthorization(options.authorization),
    admission: readAdmission(options.admission),
    webhooks: readWebhooks(options.webhooks),
  };
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
