import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../../api/api-object.ts";
import { type Defaulter, each, fill, fillAbsent, within } from "./fill.ts";

const matchFields = { matchPolicy: "Equivalent", namespaceSelector: {}, objectSelector: {} };
const withScope: Defaulter = (rule) => fillAbsent(rule, { scope: "*" });
const withPort: Defaulter = (service) => fill(service, { port: 443 });

/** The defaults of a configuration of webhooks; those that mutate are called once. */
export function webhookDefaults(extra: JsonObject): (object: ApiObject) => ApiObject {
  const fields = { failurePolicy: "Fail", timeoutSeconds: 10, ...matchFields, ...extra };
  return (object) => ({
    ...each(object, "webhooks", (webhook) => {
      const filled = each(fillAbsent(webhook, fields), "rules", withScope);
      return within(filled, "clientConfig", (config) => within(config, "service", withPort));
    }),
    metadata: object.metadata,
  });
}

/** The defaults of the spec of an admission policy. */
export function admissionPolicyDefaults(spec: JsonObject): JsonObject {
  return within(fillAbsent(spec, { failurePolicy: "Fail" }), "matchConstraints", matchResources);
}

/** The defaults of the spec of a binding of an admission policy. */
export function policyBindingDefaults(spec: JsonObject): JsonObject {
  return within(spec, "matchResources", matchResources);
}

function matchResources(resources: JsonObject): JsonObject {
  const filled = each(fillAbsent(resources, matchFields), "resourceRules", withScope);
  return each(filled, "excludeResourceRules", withScope);
}

/** The defaults of the spec of an APIService. */
export function apiServiceDefaults(spec: JsonObject): JsonObject {
  return within(spec, "service", withPort);
}

/** The defaults of the spec of a CSIDriver. */
export function csiDriverDefaults(spec: JsonObject): JsonObject {
  return fillAbsent(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    volumeLifecycleModes: ["Persistent"],
    storageCapacity: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    requiresRepublish: false,
    seLinuxMount: false,
    preventPodSchedulingIfMissing: false,
  });
}

/** The defaults of the spec of an IngressClass. */
export function ingressClassDefaults(spec: JsonObject): JsonObject {
  return within(spec, "parameters", (parameters) => fillAbsent(parameters, { scope: "Cluster" }));
}

/** The defaults of the spec of a FlowSchema. */
export function flowSchemaDefaults(spec: JsonObject): JsonObject {
  return withNumbers(spec, { matchingPrecedence: 1000 });
}

/** The defaults of the spec of a PriorityLevelConfiguration. */
export function priorityLevelDefaults(spec: JsonObject): JsonObject {
  const limited = within(spec, "limited", (limits) => {
    const filled = fill(limits, { nominalConcurrencyShares: 30, lendablePercent: 0 });
    return within(filled, "limitResponse", (response) =>
      within(response, "queuing", (queuing) =>
        withNumbers(queuing, { queues: 64, handSize: 8, queueLengthLimit: 50 }),
      ),
    );
  });
  return within(limited, "exempt", (exempt) =>
    fill(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 }),
  );
}

// In these fields 0 counts as absent.
function withNumbers(object: JsonObject, defaults: JsonObject): JsonObject {
  const given: MutableJsonObject = { ...object };
  for (const name in defaults) if (given[name] === 0) delete given[name];
  return fill(given, defaults);
}

const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** Adds the taints that admission sets on a new Node. */
export function newNode(node: ApiObject): ApiObject {
  const spec = isRecord(node["spec"]) ? node["spec"] : {};
  const taints = Array.isArray(spec["taints"]) ? (spec["taints"] as readonly unknown[]) : [];
  const isTainted = taints.some((taint) => isRecord(taint) && taint["key"] === notReady.key);
  return isTainted ? node : { ...node, spec: { ...spec, taints: [...taints, notReady] } };
}

/** The defaults of a Node. */
export function nodeDefaults(node: ApiObject): ApiObject {
  const { metadata } = node;
  const filled = within(within(node, "spec", withRanges), "status", (status) => {
    const { capacity } = status;
    return capacity === undefined ? status : fill(status, { allocatable: capacity });
  });
  return { ...filled, metadata };
}

// The range and the list of ranges are equal; if they differ, the list is replaced.
function withRanges(spec: JsonObject): JsonObject {
  const { podCIDR, podCIDRs } = spec;
  const first: unknown = Array.isArray(podCIDRs) ? podCIDRs[0] : undefined;
  const isGiven = podCIDR !== undefined && podCIDR !== "";
  if (!isGiven) return first === undefined ? spec : { ...spec, podCIDR: first };
  return first === podCIDR ? spec : { ...spec, podCIDRs: [podCIDR] };
}
