import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { count, field, objects, text } from "../base/read-fields.ts";
import { nanosOf } from "../rules/quantities.ts";

/** Amounts that an object adds to quotas, in billionths, by quota name. */
export type Usage = ReadonlyMap<string, bigint>;

const unit = 1_000_000_000n;
// Resources that quotas counted before `count/…` existed.
const oldNames: ReadonlySet<string> = new Set([
  "configmaps",
  "persistentvolumeclaims",
  "pods",
  "replicationcontrollers",
  "resourcequotas",
  "secrets",
  "services",
]);
/** A number of objects of one resource: `count/deployments.apps`. */
const countPrefix = "count/";
const classSuffix = ".storageclass.storage.k8s.io/";
const classAnnotation = "volume.beta.kubernetes.io/storage-class";
const ended: ReadonlySet<string> = new Set(["Failed", "Succeeded"]);

/**
 * Computes the usage of an object (k8s.io/kubernetes pkg/quota/v1/evaluator/core).
 *
 * @param name its resource, such as `pods` or `deployments.apps`
 */
export function usageOf(name: string, object: ApiObject): Usage {
  const counted = new Map([[`${countPrefix}${name}`, unit]]);
  if (!oldNames.has(name)) return counted;
  if (name === "pods" && ended.has(text(object, "status", "phase"))) return counted;
  counted.set(name, unit);
  if (name === "pods") addPod(counted, recordOf(object["spec"]));
  if (name === "services") addService(counted, recordOf(object["spec"]));
  if (name === "persistentvolumeclaims") addClaim(counted, object);
  return counted;
}

function addPod(usage: Map<string, bigint>, spec: JsonObject): void {
  for (const [name, amount] of podResources(spec, "requests")) {
    if (["cpu", "memory", "ephemeral-storage"].includes(name)) usage.set(name, amount);
    if (name.startsWith("hugepages-")) usage.set(name, amount);
    usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of podResources(spec, "limits")) usage.set(`limits.${name}`, amount);
}

type Amounts = Map<string, bigint>;

/** The peak of a pod's resources: containers run together, init containers one after another. */
function podResources(spec: JsonObject, list: "limits" | "requests"): Amounts {
  const amountsOf = (holder: unknown): Amounts =>
    new Map(
      Object.entries(recordOf(field(holder, "resources", list))).map(([name, quantity]) => [
        name,
        nanosOf(quantity),
      ]),
    );
  let running: Amounts = new Map();
  let most: Amounts = new Map();
  for (const container of objects(spec, "initContainers")) {
    const together = sum(running, amountsOf(container));
    if (text(container, "restartPolicy") === "Always") running = together;
    most = larger(most, together);
  }
  for (const container of objects(spec, "containers")) running = sum(running, amountsOf(container));
  const whole = new Map([...larger(most, running), ...amountsOf(spec)]);
  const overhead = Object.entries(recordOf(spec["overhead"]));
  for (const [name, quantity] of overhead) {
    const before = whole.get(name);
    if (before === undefined && list === "limits") continue;
    whole.set(name, (before ?? 0n) + nanosOf(quantity));
  }
  return whole;
}

function sum(left: Amounts, right: Amounts): Amounts {
  const both = new Map(left);
  for (const [name, amount] of right) both.set(name, (both.get(name) ?? 0n) + amount);
  return both;
}

function larger(left: Amounts, right: Amounts): Amounts {
  const both = new Map(left);
  for (const [name, amount] of right) {
    const before = both.get(name);
    if (before === undefined || before < amount) both.set(name, amount);
  }
  return both;
}

function addService(usage: Map<string, bigint>, spec: JsonObject): void {
  const ports = objects(spec, "ports");
  const isBalanced = spec["type"] === "LoadBalancer";
  const hasPorts = isBalanced ? spec["allocateLoadBalancerNodePorts"] !== false : true;
  const numbered = ports.filter((port) => hasPorts || count(port, "nodePort") !== 0).length;
  const isOnNodes = isBalanced || spec["type"] === "NodePort";
  usage.set("services.nodeports", isOnNodes ? BigInt(numbered) * unit : 0n);
  usage.set("services.loadbalancers", isBalanced ? unit : 0n);
}

function addClaim(usage: Map<string, bigint>, { metadata, spec }: ApiObject): void {
  const storageClass = metadata.annotations?.[classAnnotation] ?? text(spec, "storageClassName");
  if (storageClass !== "") usage.set(`${storageClass}${classSuffix}persistentvolumeclaims`, unit);
  const storage = field(spec, "resources", "requests", "storage");
  if (storage === undefined) return;
  usage.set("requests.storage", nanosOf(storage));
  if (storageClass === "") return;
  usage.set(`${storageClass}${classSuffix}requests.storage`, nanosOf(storage));
}

/** Resources that no quota counts. */
export const uncounted: ReadonlySet<string> = new Set(["events", "events.events.k8s.io"]);

/** Returns the resources whose objects use some of a quota's resources. */
export function resourcesUsing(names: readonly string[]): readonly string[] {
  const counted = names
    .filter((name) => name.startsWith(countPrefix))
    .map((name) => name.slice(countPrefix.length))
    .filter((resource) => !uncounted.has(resource));
  const all = new Set([...oldNames, ...counted]);
  return [...all].filter((resource) => names.some((name) => isUsedBy(resource, name)));
}

const podAmount =
  /^(?:(?:requests\.|limits\.)?(?:cpu|memory|ephemeral-storage)|(?:requests\.)?hugepages-.+)$/;

/** Whether objects of a resource use a quota's resource. */
export function isUsedBy(resource: string, name: string): boolean {
  if (name === `${countPrefix}${resource}` || (name === resource && oldNames.has(name)))
    return true;
  switch (resource) {
    case "pods":
      return podAmount.test(name) || /^requests\.[^/]+\/.+$/.test(name);
    case "services":
      return name === "services.nodeports" || name === "services.loadbalancers";
    case "persistentvolumeclaims":
      return name === "requests.storage" || name.includes(classSuffix);
    default:
      return false;
  }
}

const compute = ["cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory"];

/** Lists quota resources that a pod does not set: `cpu for: a,b; memory for: b`, or "". */
export function missingResources(pod: ApiObject, hard: ReadonlySet<string>): string {
  if (field(pod, "spec", "resources") !== undefined) return "";
  const containers = ["containers", "initContainers"].flatMap((list) => objects(pod, "spec", list));
  const problems = compute
    .filter((name) => hard.has(name))
    .map((name) => {
      const [list, resource] = name.includes(".") ? name.split(".") : ["requests", name];
      const without = containers
        .filter(
          (container) => field(container, "resources", list ?? "", resource ?? "") === undefined,
        )
        .map((container) => text(container, "name"));
      return without.length === 0 ? "" : `${name} for: ${without.toSorted().join(",")}`;
    });
  return problems.filter((problem) => problem !== "").join("; ");
}

/** Whether a quota covers an object. Quotas with scopes cover only pods. */
export function isInScopes(resource: string, object: ApiObject, quota: ApiObject): boolean {
  const names = field(quota, "spec", "scopes");
  const scopes: JsonObject[] = [
    ...(Array.isArray(names) ? names : []).map((scopeName) => ({ scopeName, operator: "Exists" })),
    ...objects(quota, "spec", "scopeSelector", "matchExpressions"),
  ];
  if (scopes.length === 0) return true;
  if (resource !== "pods") return false;
  return scopes.every((scope) => isInScope(object, scope));
}

function isInScope(pod: ApiObject, { operator, scopeName, values }: JsonObject): boolean {
  switch (scopeName) {
    case "Terminating":
      return isTerminating(pod);
    case "NotTerminating":
      return !isTerminating(pod);
    case "BestEffort":
      return isBestEffort(pod);
    case "NotBestEffort":
      return !isBestEffort(pod);
    case "PriorityClass": {
      const name = text(pod, "spec", "priorityClassName");
      const isListed = Array.isArray(values) && values.includes(name);
      if (operator === "In") return isListed;
      if (operator === "NotIn") return !isListed;
      return (name !== "") === (operator === "Exists");
    }
    case "CrossNamespacePodAffinity":
      return JSON.stringify(field(pod, "spec", "affinity") ?? null).includes('"namespace');
    default:
      return false;
  }
}

function isTerminating(pod: ApiObject): boolean {
  const seconds = field(pod, "spec", "activeDeadlineSeconds");
  return typeof seconds === "number" && seconds >= 0;
}

function isBestEffort(pod: ApiObject): boolean {
  const spec = recordOf(pod["spec"]);
  const asks = [...podResources(spec, "requests"), ...podResources(spec, "limits")];
  return asks.every(([name, amount]) => !["cpu", "memory"].includes(name) || amount === 0n);
}
