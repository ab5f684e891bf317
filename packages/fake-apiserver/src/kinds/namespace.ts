import { namespaceRules } from "../rules/namespace.ts";
import { checkDnsLabel } from "../validation/names.ts";
import { recordOf } from "@listwatch/core-fifo/base";
import { conflict, forbidden } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { text } from "../base/read-fields.ts";
import type { DeleteOptions } from "../input/delete-options.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { checkSecurityLabels, securityWarnings } from "./admission/pod-security.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind, type KindHost } from "./define-kind.ts";
import type { ResourceStrategy } from "./strategy.ts";
import { withPhase } from "./defaults/fill.ts";

/** Namespaces every cluster has. */
export const systemNamespaces: readonly string[] = [
  "default",
  "kube-node-lease",
  "kube-public",
  "kube-system",
];

// The lifecycle admission of a real server never lets these three go:
// k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle, `NewLifecycle`.
const immortal = new Set(["default", "kube-public", "kube-system"]);
// Long enough for a client to see the terminating namespace.
const controllerDelayMs = 100;
const nameLabel = "kubernetes.io/metadata.name";
const names = { group: "", plural: "namespaces", kind: "Namespace" };

/** Namespace of the core group. */
export const namespaceKind: Kind = defineKind({
  version: "v1",
  kind: "Namespace",
  rules: namespaceRules,
  unconditionalUpdate: true,
  nameRule: checkDnsLabel,
  shortNames: ["ns"],
  cluster: true,
  status: true,
  subresources: [{ name: "finalize", verbs: ["update"] }],
  verbs: ["create", "delete", "get", "list", "patch", "update", "watch"],
  selectableFields: ["status.phase"],
  returnsDeletedObject: true,
  columns: [builtinColumn("Status", (object) => text(object, "status", "phase")), ageColumn],
  defaults: (object) => {
    const named = (object.metadata.name ?? "") === "" ? object : withNameLabel(object);
    return withPhase(named, "Active");
  },
  strategy: namespaceStrategy,
});

function namespaceStrategy(host: KindHost): ResourceStrategy {
  const { clock, namespaceDeletion, terminateNamespace, validation } = host;
  return {
    ...(validation === "full" && {
      admit: checkSecurityLabels,
      warnings: (object, stored) => securityWarnings(object, stored, host),
    }),
    prepareForCreate: (object) => {
      const given = finalizersOf(object);
      const finalizers = given.includes("kubernetes") ? given : [...given, "kubernetes"];
      return {
        ...withNameLabel(object),
        spec: { ...recordOf(object["spec"]), finalizers },
        status: { phase: "Active" },
      };
    },
    prepareForUpdate: (object, stored) => ({ ...withNameLabel(object), spec: stored["spec"] }),
    subresourceUpdates: { finalize: { take: takeFinalizers } },
    refuseDelete,
    staysWhenDeleted: (object) => finalizersOf(object).length > 0,
    markDeleted,
    written: (version, previous) => {
      // A new namespace that is being deleted comes from a dump. Its objects may follow.
      if (version?.object.metadata.deletionTimestamp === undefined || previous === undefined)
        return;
      if (namespaceDeletion === "never") return;
      if (namespaceDeletion === "instant") terminateNamespace(version.name);
      else clock.setTimeout(() => terminateNamespace(version.name), controllerDelayMs);
    },
  };
}

function refuseDelete(
  { name, object }: StoredObject,
  { resourceVersion, uid }: DeleteOptions,
): Error | undefined {
  if (immortal.has(name)) return forbidden(names, name, "this namespace may not be deleted");
  const { metadata } = object;
  const wrong = (field: string, expected: string, actual = ""): Error => {
    const precondition = `${field} in precondition: ${expected}`;
    const why = `Precondition failed: ${precondition}, ${field} in object meta: ${actual}`;
    return conflict(names, name, why);
  };
  // pkg/registry/core/namespace/storage compares them in these words.
  if (uid !== undefined && uid !== metadata.uid) return wrong("UID", uid, metadata.uid);
  return resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion
    ? wrong("ResourceVersion", resourceVersion, metadata.resourceVersion)
    : undefined;
}

// An empty list is left out, as in every answer.
function takeFinalizers(sent: ApiObject, stored: ApiObject): ApiObject {
  const { finalizers: _finalizers, ...spec } = recordOf(stored["spec"]);
  const finalizers = finalizersOf(sent);
  return {
    ...withNameLabel(sent),
    spec: finalizers.length === 0 ? spec : { ...spec, finalizers },
    status: stored["status"],
  };
}

function markDeleted({ metadata, ...object }: ApiObject): ApiObject {
  const { deletionGracePeriodSeconds: _grace, ...kept } = metadata;
  const status = { ...recordOf(object["status"]), phase: "Terminating" };
  return { ...object, metadata: kept, status };
}

/** `spec.finalizers` of a namespace: the components that must clean up before it is removed. */
function finalizersOf(object: ApiObject): readonly unknown[] {
  const finalizers = recordOf(object["spec"])["finalizers"];
  return Array.isArray(finalizers) ? finalizers : [];
}

function withNameLabel(object: ApiObject): ApiObject {
  const { labels, name = "" } = object.metadata;
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, [nameLabel]: name } } };
}
