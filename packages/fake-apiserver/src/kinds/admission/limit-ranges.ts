import { type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { forbidden } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { compareBytes, textOf } from "../../base/go-text.ts";
import { objects, text } from "../../base/read-fields.ts";
import { nanosOf } from "../../rules/quantities.ts";
import { canonicalQuantity } from "../../schema/quantity.ts";
import { each } from "../defaults/fill.ts";
import type { KindHost } from "../define-kind.ts";

const podNames = { group: "", plural: "pods", kind: "Pod" };
const claimNames = { group: "", plural: "persistentvolumeclaims", kind: "PersistentVolumeClaim" };
const rangeNames = { group: "", plural: "limitranges" };
const annotation = "kubernetes.io/limit-ranger";
// plugin/pkg/admission/limitranger: how the annotation calls the containers of a list.
const containerLists = [
  ["containers", "container"],
  ["initContainers", "init container"],
] as const;

const nanosPerUnit = 1_000_000_000n;

// In which direction a claim may not go beyond a bound.
const claimBounds = [
  ["min", -1n],
  ["max", 1n],
] as const;

/** Fills in the defaults of the namespace's limit ranges in a new pod. */
export function withLimits(pod: ApiObject, host: KindHost): ApiObject {
  const limits = limitsOf(pod, host, "Container");
  if (limits.length === 0) return pod;
  const notes: string[] = [];
  let spec = recordOf(pod["spec"]);
  for (const [list, kind] of containerLists) {
    spec = each(spec, list, (container) => {
      const name = `${kind} ${text(container, "name")}`;
      return limits.reduce((filled, limit) => fillContainer(filled, limit, name, notes), container);
    });
  }
  if (notes.length === 0) return pod;
  const annotations = {
    ...pod.metadata.annotations,
    [annotation]: `LimitRanger plugin set: ${notes.join("; ")}`,
  };
  return { ...pod, spec, metadata: { ...pod.metadata, annotations } };
}

function fillContainer(
  container: JsonObject,
  limit: JsonObject,
  name: string,
  notes: string[],
): JsonObject {
  const resources = recordOf(container["resources"]);
  const filled: JsonObject = {
    ...resources,
    ...fillMissing(resources, "requests", recordOf(limit["defaultRequest"]), (added) =>
      notes.push(`${added} request for ${name}`),
    ),
    ...fillMissing(resources, "limits", recordOf(limit["default"]), (added) =>
      notes.push(`${added} limit for ${name}`),
    ),
  };
  return { ...container, resources: filled };
}

function fillMissing(
  resources: JsonObject,
  list: "limits" | "requests",
  defaults: JsonObject,
  note: (added: string) => void,
): JsonObject {
  const given = recordOf(resources[list]);
  const missing = Object.keys(defaults).filter((name) => given[name] === undefined);
  if (missing.length === 0) return {};
  note(missing.toSorted(compareBytes).join(", "));
  const added = Object.fromEntries(missing.map((name) => [name, defaults[name]]));
  return { [list]: { ...given, ...added } };
}

/**
 * Compares what a new pod asks for with the limit ranges of its namespace.
 *
 * @throws {ApiError} 403 with everything that is out of range
 */
export function checkLimits(pod: ApiObject, host: KindHost): void {
  const perContainer = limitsOf(pod, host, "Container");
  const perPod = limitsOf(pod, host, "Pod");
  if (perContainer.length + perPod.length === 0) return;
  const containers = containerLists.flatMap(([list]) => objects(pod, "spec", list));
  const problems = perContainer.flatMap((limit) =>
    containers.flatMap((container) => outOfRange(limit, recordOf(container["resources"]))),
  );
  const whole = {
    requests: sumOf(containers, "requests"),
    limits: sumOf(containers, "limits"),
  };
  for (const limit of perPod) problems.push(...outOfRange(limit, whole));
  throwProblems(podNames, pod, problems);
}

/**
 * Compares what a claim asks for with the limit ranges of its namespace.
 *
 * @throws {ApiError} 403 with everything that is out of range
 */
export function checkClaimLimits(claim: ApiObject, host: KindHost): void {
  const requests = recordOf(recordOf(recordOf(claim["spec"])["resources"])["requests"]);
  const problems: string[] = [];
  for (const limit of limitsOf(claim, host, "PersistentVolumeClaim")) {
    for (const [bound, sign] of claimBounds) {
      for (const [name, value] of Object.entries(recordOf(limit[bound]))) {
        const request = requests[name];
        if (request === undefined || (nanosOf(request) - nanosOf(value)) * sign <= 0n) continue;
        const rule = `${bound}imum ${name} usage per PersistentVolumeClaim is ${textOf(value)}`;
        problems.push(`${rule}, but request is ${textOf(request)}`);
      }
    }
  }
  throwProblems(claimNames, claim, problems);
}

function limitsOf({ metadata }: ApiObject, host: KindHost, type: string): readonly JsonObject[] {
  return host
    .objectsOf(rangeNames, metadata.namespace ?? "")
    .flatMap((range) => objects(range, "spec", "limits"))
    .filter((limit) => text(limit, "type") === type);
}

// In the words of plugin/pkg/admission/limitranger: `minConstraint`, `maxConstraint` and
// `limitRequestRatioConstraint`.
function outOfRange(limit: JsonObject, resources: JsonObject): readonly string[] {
  const type = text(limit, "type");
  const requests = recordOf(resources["requests"]);
  const limits = recordOf(resources["limits"]);
  const problems: string[] = [];
  for (const [name, least] of Object.entries(recordOf(limit["min"]))) {
    const rule = `minimum ${name} usage per ${type} is ${textOf(least)}`;
    const [request, most] = [requests[name], limits[name]];
    const isBelow = (value: unknown): boolean => nanosOf(value) < nanosOf(least);
    if (request === undefined) problems.push(`${rule}.  No request is specified`);
    else if (isBelow(request)) problems.push(`${rule}, but request is ${textOf(request)}`);
    else if (most !== undefined && isBelow(most)) {
      problems.push(`${rule}, but limit is ${textOf(most)}`);
    }
  }
  for (const [name, most] of Object.entries(recordOf(limit["max"]))) {
    const rule = `maximum ${name} usage per ${type} is ${textOf(most)}`;
    const [request, given] = [requests[name], limits[name]];
    const isAbove = (value: unknown): boolean => nanosOf(value) > nanosOf(most);
    if (given === undefined) problems.push(`${rule}.  No limit is specified`);
    else if (isAbove(given)) problems.push(`${rule}, but limit is ${textOf(given)}`);
    else if (request !== undefined && isAbove(request)) {
      problems.push(`${rule}, but request is ${textOf(request)}`);
    }
  }
  for (const [name, ratio] of Object.entries(recordOf(limit["maxLimitRequestRatio"]))) {
    const rule = `${name} max limit to request ratio per ${type} is ${textOf(ratio)}`;
    const [request, given] = [nanosOf(requests[name] ?? "0"), nanosOf(limits[name] ?? "0")];
    if (request === 0n) problems.push(`${rule}, but no request is specified or request is 0`);
    else if (given === 0n) problems.push(`${rule}, but no limit is specified or limit is 0`);
    else if (given * nanosPerUnit > nanosOf(ratio) * request) {
      const provided = (Number(given) / Number(request)).toFixed(6);
      problems.push(`${rule}, but provided ratio is ${provided}`);
    }
  }
  return problems;
}

function sumOf(containers: readonly JsonObject[], list: "limits" | "requests"): JsonObject {
  const sums = new Map<string, bigint>();
  for (const container of containers) {
    const quantities = recordOf(recordOf(container["resources"])[list]);
    for (const [name, quantity] of Object.entries(quantities)) {
      sums.set(name, (sums.get(name) ?? 0n) + nanosOf(quantity));
    }
  }
  return Object.fromEntries(
    [...sums].map(([name, nanos]) => [name, canonicalQuantity(`${nanos}n`) ?? `${nanos}n`]),
  );
}

function throwProblems(
  names: typeof podNames,
  { metadata }: ApiObject,
  problems: readonly string[],
): void {
  if (problems.length === 0) return;
  const why = problems.length === 1 ? problems.join("") : `[${problems.join(", ")}]`;
  throw forbidden(names, metadata.name ?? "", why);
}
