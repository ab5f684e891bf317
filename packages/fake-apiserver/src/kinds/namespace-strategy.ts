import type { Clock } from "../base/clock.ts";
import { asJsonObject } from "../base/json.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { forbidden } from "../api/errors.ts";
import type { ResourceStrategy } from "./strategy.ts";

/** Namespaces every cluster has. */
export const systemNamespaces: readonly string[] = [
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
];
// The lifecycle admission of a real server lets these three never go: api-server §1.17.
const immortal = new Set(["default", "kube-public", "kube-system"]);
// Long enough for a client to see the namespace on its way out.
const controllerDelayMs = 100;
const nameLabel = "kubernetes.io/metadata.name";
const names = { group: "", plural: "namespaces", kind: "Namespace" };

/** When deleted namespaces are emptied: in the same turn, 100 ms later, or never. */
export type NamespaceDeletion = "instant" | "controller" | "never";

/** What is special about namespaces (api-server §1.17). */
export function namespaceStrategy(
  clock: Clock,
  mode: NamespaceDeletion,
  terminate: (namespace: string) => void,
): ResourceStrategy {
  return {
    prepareForCreate: (object) => ({
      ...labelled(object),
      spec: { ...asJsonObject(object["spec"]), finalizers: ["kubernetes"] },
      status: { phase: "Active" },
    }),
    prepareForUpdate: (object, stored) => ({ ...labelled(object), spec: stored["spec"] }),
    refuseDelete: ({ name }) =>
      immortal.has(name) ? forbidden(names, name, "this namespace may not be deleted") : undefined,
    staysWhenDeleted: (object) => finalizersOf(object).length > 0,
    markDeleted: ({ metadata, ...object }) => {
      const { deletionGracePeriodSeconds: _grace, ...kept } = metadata;
      return {
        ...object,
        metadata: kept,
        status: { ...asJsonObject(object["status"]), phase: "Terminating" },
      };
    },
    written: (version) => {
      if (version?.object.metadata.deletionTimestamp === undefined || mode === "never") return;
      if (mode === "instant") terminate(version.name);
      else clock.setTimeout(() => terminate(version.name), controllerDelayMs);
    },
  };
}

/** `spec.finalizers` of a namespace: who has to clean up before it may go. */
function finalizersOf(object: ApiObject): readonly unknown[] {
  const finalizers = asJsonObject(object["spec"])["finalizers"];
  return Array.isArray(finalizers) ? finalizers : [];
}

function labelled(object: ApiObject): ApiObject {
  const { labels, name = "" } = object.metadata;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [nameLabel]: name } } };
}
