import { StoredVersions } from "../storage/stored-versions.ts";
import { ObjectConversions } from "../webhooks/object-conversions.ts";
import { storageKey } from "../storage/stored-object.ts";
import type { Clock } from "@listwatch/core-fifo/base";
import { Admission } from "../admission/admission.ts";
import { Authenticator } from "../authentication/authenticator.ts";
import { ServiceAccountTokens } from "../authentication/service-account-token.ts";
import { AccessGate } from "../authorization/access-gate.ts";
import { createAuthorizer } from "../authorization/authorizer.ts";
import { timestamp } from "../base/server-clock.ts";
import { CrdController } from "../custom-resources/crd-controller.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import { crdStrategy } from "../custom-resources/crd-strategy.ts";
import { customResourceStrategy } from "../custom-resources/custom-resources.ts";
import { seededStream } from "../base/random-text.ts";
import { builtinKinds, builtinResources } from "../kinds/builtin-kinds.ts";
import type { KindHost } from "../kinds/define-kind.ts";
import { groupResource, ResourceRegistry, storageName } from "../api/registry.ts";
import { ResourceViews } from "../output/resource-views.ts";
import type { ServerCore, ServerSettings } from "../verbs/server-core.ts";
import { Storage } from "../storage/storage.ts";
import { deleteInternally } from "../verbs/delete.ts";
import { GarbageCollector } from "../simulated-controllers/garbage-collector.ts";
import { OwnRecords } from "../simulated-controllers/own-records.ts";
import { VolumeProtection } from "../simulated-controllers/volume-protection.ts";
import { NamespaceController } from "../simulated-controllers/namespace-controller.ts";
import { systemNamespaces } from "../kinds/namespace.ts";
import { PodLogs } from "../faults/control/pod-logs.ts";
import { WatchRegistry } from "../faults/control/watch-registry.ts";
import { Strategies } from "../kinds/strategy.ts";
import { WatchTranslator } from "../verbs/watch-translator.ts";
import { addBootstrapObjects, namespaceEntry } from "./bootstrap.ts";
import { seedObject } from "./seed-objects.ts";

/** A core, and the parts that have to know when its state was replaced. */
export interface CreatedCore {
  readonly core: ServerCore;
  readonly crds: CrdController;
  readonly collector: GarbageCollector;
}

/**
 * Builds the state of a server: its resources, their strategies and the namespaces every cluster
 * has.
 */
export function createCore(
  clock: Clock,
  seed: number | string,
  settings: ServerSettings,
): CreatedCore {
  const storage = new Storage(settings.storage);
  const tokens = new ServiceAccountTokens(clock, seededStream(seed, "tokens"));
  const registry = new ResourceRegistry(builtinResources());
  const strategies = new Strategies(
    customResourceStrategy((definition) => {
      const crd = storage.store(crdResource).get(groupResource(definition));
      return crd?.isTerminating === true;
    }),
  );
  const views = new ResourceViews(storage.versions);
  const storedVersions = new StoredVersions();
  const conversions = new ObjectConversions({
    storage,
    views,
    versions: storedVersions,
    settings: settings.webhooks,
    clock,
    random: seededStream(seed, "conversions"),
  });
  const access = createAccess(storage, tokens, settings);
  const core: ServerCore = {
    storage,
    registry,
    views,
    storedVersions,
    strategies,
    watches: new WatchRegistry(),
    pods: new PodLogs(),
    translator: new WatchTranslator(storage),
    clock,
    random: seededStream(seed, "names"),
    jitter: seededStream(seed, "jitter"),
    settings,
    tokens,
    access,
    admission: new Admission({
      plugins: settings.admission,
      authorization: settings.authorization,
      authorizer: access.authorizer,
      storage,
      random: seededStream(seed, "admission"),
      clock,
      registry,
      strategies,
      conversions,
      webhooks: settings.webhooks,
    }),
    conversions,
  };
  storage.onCommit((_store, { previous, stored }) => storedVersions.inherit(stored, previous));
  const crds = new CrdController(core);
  addStrategies(core, crds);
  for (const definition of core.registry.definitions()) storage.store(storageName(definition));
  addNamespaces(core);
  if (settings.bootstrap === "full") {
    addBootstrapObjects(core, seed);
    new OwnRecords(core, seededStream(seed, "records")).start();
  }
  const collector = new GarbageCollector(core, settings.garbageCollection);
  new VolumeProtection(core, settings.garbageCollection).start();
  return { core, crds, collector };
}

function addNamespaces(core: ServerCore): void {
  const managedFields =
    core.settings.bootstrap === "full" ? [namespaceEntry(timestamp(core.clock.now()))] : undefined;
  for (const name of systemNamespaces) {
    const metadata = { name, ...(managedFields && { managedFields }) };
    seedObject(core, { apiVersion: "v1", kind: "Namespace", metadata });
  }
}

function createAccess(
  storage: Storage,
  tokens: ServiceAccountTokens,
  { authorization, users }: ServerSettings,
): AccessGate {
  // Where everything is allowed a real server wants to know by whom, too.
  const allowsAnonymous = authorization !== undefined;
  const authenticator = new Authenticator({ users, allowsAnonymous, tokens, storage });
  return new AccessGate(authenticator, createAuthorizer(authorization, storage));
}

function addStrategies(core: ServerCore, crds: CrdController): void {
  const { clock, registry, settings, storage, strategies } = core;
  const namespaces = new NamespaceController(core);
  const host: KindHost = {
    clock,
    podDeletion: settings.podDeletion,
    namespaceDeletion: settings.namespaceDeletion,
    validation: settings.validation,
    services: settings.services,
    objectsOf: ({ group, plural }, namespace) => {
      const definition = registry.get(group, plural);
      if (definition === undefined) return [];
      const store = storage.store(storageName(definition));
      const found =
        namespace === undefined ? store.objects() : store.objectsWithin(storageKey(namespace, ""));
      return found.map(({ object }) => object);
    },
    labelsOf: ({ group, plural }, key) => {
      const definition = registry.get(group, plural);
      const stored = definition && storage.store(storageName(definition)).get(key);
      return stored?.labels ?? {};
    },
    deleteObject: ({ group, plural }, key, uid) => {
      const definition = registry.get(group, plural);
      if (definition === undefined) return;
      const stored = storage.store(storageName(definition)).get(key);
      if (stored !== undefined && stored.object.metadata.uid === uid) {
        deleteInternally(core, definition, stored);
      }
    },
    terminateNamespace: (name) => namespaces.terminate(name),
    customResourceDefinitions: crdStrategy(crds, {
      callsWebhooks: settings.webhooks !== undefined,
      now: () => timestamp(clock.now()),
    }),
  };
  for (const kind of builtinKinds) {
    strategies.set(groupResource(kind.definition), () => kind.strategy(host));
  }
}
