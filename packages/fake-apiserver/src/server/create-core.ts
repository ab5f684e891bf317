import { type Clock, timestamp } from "../base/clock.ts";
import { CrdController } from "../custom-resources/crd-controller.ts";
import { crdResource } from "../custom-resources/crd-object.ts";
import { crdStrategy } from "../custom-resources/crd-strategy.ts";
import { customResourceStrategy } from "../custom-resources/custom-resources.ts";
import { seededRandom } from "../base/random.ts";
import { builtinResources } from "../kinds/builtin-resources.ts";
import { groupResource, ResourceRegistry, storageName } from "../api/registry.ts";
import { ResourceViews } from "../output/resource-views.ts";
import type { ServerCore, ServerSettings } from "../verbs/server-core.ts";
import { Storage } from "../storage/storage.ts";
import { deleteInternally } from "../verbs/delete.ts";
import { NamespaceController } from "../simulated-controllers/namespace-controller.ts";
import { namespaceStrategy, systemNamespaces } from "../kinds/namespace-strategy.ts";
import { OpenWatches } from "../verbs/open-watches.ts";
import { podStrategy } from "../kinds/pod-strategy.ts";
import { Strategies } from "../kinds/strategies.ts";
import { WatchTranslator } from "../verbs/watch-translator.ts";
import { seedObject } from "./seed-objects.ts";

/** A core, and the part that has to be told when its state was replaced. */
export interface CreatedCore {
  readonly core: ServerCore;
  readonly crds: CrdController;
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
  const storage = new Storage();
  const core: ServerCore = {
    storage,
    registry: new ResourceRegistry(builtinResources()),
    views: new ResourceViews(),
    strategies: new Strategies(
      customResourceStrategy((definition) => {
        const crd = storage.store(crdResource).get(groupResource(definition));
        return crd?.object.metadata.deletionTimestamp !== undefined;
      }),
    ),
    watches: new OpenWatches(),
    translator: new WatchTranslator(storage),
    clock,
    random: seededRandom(`${seed}/names`),
    jitter: seededRandom(`${seed}/jitter`),
    settings,
  };
  const crds = new CrdController(core);
  addStrategies(core, crds);
  for (const definition of core.registry.definitions()) storage.store(storageName(definition));
  for (const name of systemNamespaces) {
    seedObject(core, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
  return { core, crds };
}

function addStrategies(core: ServerCore, crds: CrdController): void {
  const { clock, registry, settings, storage, strategies } = core;
  const namespaces = new NamespaceController(core);
  strategies.set(
    "namespaces",
    namespaceStrategy(clock, settings.namespaceDeletion, (name) => namespaces.terminate(name)),
  );
  strategies.set(
    crdResource,
    crdStrategy(crds, () => timestamp(clock.now())),
  );
  // A kubelet brings the status of its node along: k8s.io/kubernetes registry/core/node/strategy.go.
  strategies.set("nodes", { keepsStatusOnCreate: true });
  const pods = registry.get("", "pods");
  if (pods === undefined) return;
  const removePod = (key: string, uid: string | undefined): void => {
    const pod = storage.store("pods").get(key);
    if (pod !== undefined && pod.object.metadata.uid === uid) deleteInternally(core, pods, pod);
  };
  strategies.set("pods", podStrategy(clock, settings.podDeletion, removePod));
}
