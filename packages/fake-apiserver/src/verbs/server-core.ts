import type { Clock, Random } from "@listwatch/core-fifo/base";
import { type ResourceRegistry, storageName } from "../api/registry.ts";
import type { AdmissionPlugin } from "../admission/admission-plugin.ts";
import type { Admission } from "../admission/admission.ts";
import type { UserSettings, Authorization } from "../api/access.ts";
import type { ServiceAccountTokens } from "../authentication/service-account-token.ts";
import type { AccessGate } from "../authorization/access-gate.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ResourceViews } from "../output/resource-views.ts";
import type { Storage, StorageOptions } from "../storage/storage.ts";
import type { PodLogs } from "../faults/control/pod-logs.ts";
import type { WatchRegistry } from "../faults/control/watch-registry.ts";
import type {
  NamespaceDeletion,
  PodDeletion,
  ServiceSettings,
  Validation,
} from "../kinds/define-kind.ts";
import type { Strategies } from "../kinds/strategy.ts";
import type { StoredVersions } from "../storage/stored-versions.ts";
import type { ObjectConversions } from "../webhooks/object-conversions.ts";
import type { WebhookSettings } from "../webhooks/webhook-settings.ts";
import type { WatchTranslator } from "./watch-translator.ts";
import type { WriteTarget } from "./write.ts";

/** Choices of a server that its verbs look at. */
export interface ServerSettings {
  readonly bookmarkIntervalMs: number;
  readonly watchBufferEvents: number;
  readonly watchBufferBytes: number;
  readonly bodyBytes: number;
  readonly storage: StorageOptions;
  readonly shardedListAndWatch: boolean;
  readonly managedFieldsOptOut: boolean;
  readonly namespaces: "strict" | "permissive";
  readonly namespaceDeletion: NamespaceDeletion;
  readonly podDeletion: PodDeletion;
  readonly validation: Validation;
  readonly services: ServiceSettings;
  readonly bootstrap: "full" | "namespaces";
  readonly garbageCollection: "controller" | "instant" | "never";
  /** By their tokens; undefined = every request is from the administrator. */
  readonly users: ReadonlyMap<string, UserSettings> | undefined;
  /** Undefined = everything is allowed. */
  readonly authorization: Authorization | undefined;
  readonly admission: readonly AdmissionPlugin[];
  /** Undefined = webhooks are not called. */
  readonly webhooks: WebhookSettings | undefined;
}

/** A resource and where it is kept. */
export interface ResourceTarget extends Omit<WriteTarget, "dryRun"> {
  readonly definition: ResourceDefinition;
  readonly clock: Clock;
}

/** Where the objects of a resource are, and what is special about them. */
export function targetOf(core: ServerCore, definition: ResourceDefinition): ResourceTarget {
  const { clock, storage, strategies } = core;
  const store = storage.store(storageName(definition));
  return { definition, clock, storage, store, strategy: strategies.of(definition) };
}

/** State that the verbs of one server share. */
export interface ServerCore {
  readonly storage: Storage;
  readonly registry: ResourceRegistry;
  readonly views: ResourceViews;
  readonly strategies: Strategies;
  readonly watches: WatchRegistry;
  /** The logs of pods. */
  readonly pods: PodLogs;
  readonly translator: WatchTranslator;
  readonly clock: Clock;
  /** For uids and generated names. */
  readonly random: Random;
  /** For everything that spreads load over time. */
  readonly jitter: Random;
  readonly settings: ServerSettings;
  /** Signs and reads the tokens of service accounts. */
  readonly tokens: ServiceAccountTokens;
  readonly access: AccessGate;
  readonly admission: Admission;
  readonly conversions: ObjectConversions;
  readonly storedVersions: StoredVersions;
}
