import { isJsonEqual, recordOf } from "@listwatch/core-fifo/base";
import { forbidden, invalid, type FieldError } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import type { ResourceDefinition } from "../../api/resource-definition.ts";
import { compareBytes } from "../../base/go-text.ts";
import { objects, text } from "../../base/read-fields.ts";
import {
  describeViolations,
  podShape,
  type SecurityLevel,
  violationsOf,
} from "../../rules/pods/security/standards.ts";
import { invalid as invalidValue } from "../../validation/field-errors.ts";
import type { ResourceStrategy } from "../strategy.ts";

type ResourceName = Pick<ResourceDefinition, "group" | "plural">;
type Labels = Readonly<Record<string, string>>;

/** Other stored objects. */
interface StoredObjects {
  readonly objectsOf: (resource: ResourceName, namespace?: string) => readonly ApiObject[];
  readonly labelsOf: (resource: ResourceName, key: string) => Labels;
}

const prefix = "pod-security.kubernetes.io/";
const namespaces = { group: "", plural: "namespaces" };
const podNames = { group: "", plural: "pods", kind: "Pod" };
const levels: readonly SecurityLevel[] = ["privileged", "baseline", "restricted"];
// The standards of the release that the server imitates.
const newestMinor = 36;

/** Requirements of a namespace for its pods. */
interface Policy {
  readonly level: SecurityLevel;
  readonly version: string;
}

/**
 * Adds what the labels of a namespace ask of pods to how a kind is written: pods that the enforced
 * standard forbids are refused, and writers warned of what another one forbids
 * (k8s.io/pod-security-admission).
 *
 * @param path where the template of the pods is; none for pods themselves
 */
export function withPodSecurity(
  strategy: ResourceStrategy,
  host: StoredObjects,
  path: readonly string[],
): ResourceStrategy {
  const isPod = path.length === 0;
  const isChecked = (object: ApiObject, stored: ApiObject | undefined): boolean =>
    !isPod || stored === undefined || isSignificant(object, stored);
  const enforce = (object: ApiObject): string => {
    if (!isPod) return "";
    return problemsOf(object, path, policyOf(labelsOf(host, object), "enforce"));
  };
  return {
    ...strategy,
    warnings: (object, stored) => {
      const others = strategy.warnings?.(object, stored) ?? [];
      const labels = labelsOf(host, object);
      const policy = policyOf(labels, "warn");
      if (policy.level === "privileged" || !isChecked(object, stored)) return others;
      // No warning for a refused pod.
      if (enforce(object) !== "") return others;
      const problems = problemsOf(object, path, policy);
      return problems === "" ? others : [...others, `would violate PodSecurity ${problems}`];
    },
    admit: (object, stored) => {
      strategy.admit?.(object, stored);
      if (!isChecked(object, stored)) return;
      const problems = enforce(object);
      if (problems === "") return;
      const { name = "" } = object.metadata;
      throw forbidden(podNames, name, `violates PodSecurity ${problems}`);
    },
  };
}

/** Refuses labels of a namespace that name no standard, as far as a write changes them. */
export function checkSecurityLabels(namespace: ApiObject, stored: ApiObject | undefined): void {
  const errors = labelErrors(namespace);
  if (errors.length === 0) return;
  if (stored !== undefined && isJsonEqual(labelErrors(stored), errors)) return;
  throw invalid("", "Namespace", namespace.metadata.name ?? "", errors);
}

/** Lists violations of existing pods against a newly enforced standard. */
export function securityWarnings(
  namespace: ApiObject,
  stored: ApiObject | undefined,
  host: StoredObjects,
): readonly string[] {
  if (stored === undefined || labelErrors(namespace).length > 0) return [];
  const policy = policyOf(namespace.metadata.labels ?? {}, "enforce");
  const before = policyOf(stored.metadata.labels ?? {}, "enforce");
  if (isJsonEqual(policy, before) || policy.level === "privileged") return [];
  const isRelaxed = levels.indexOf(policy.level) <= levels.indexOf(before.level);
  if (policy.version === before.version && isRelaxed) return [];
  const name = namespace.metadata.name ?? "";
  const pods = new Map<string, string[]>();
  for (const pod of host.objectsOf(podNames, name)) {
    const shape = podShape(pod, []);
    const violations = shape ? violationsOf(shape, policy.level, minorOf(policy)) : [];
    if (violations.length === 0) continue;
    const reasons = violations.map(({ reason }) => reason).join(", ");
    pods.set(reasons, [...(pods.get(reasons) ?? []), pod.metadata.name ?? ""]);
  }
  if (pods.size === 0) return [];
  const shown = `${policy.level}:${policy.version}`;
  return [
    `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${shown}"`,
    ...Array.from(pods, ([reasons, names]) => `${firstOf(names)}: ${reasons}`).toSorted(
      compareBytes,
    ),
  ];
}

function firstOf(names: readonly string[]): string {
  const [first = ""] = names.toSorted(compareBytes);
  if (names.length === 1) return first;
  return `${first} (and ${names.length - 1} other ${names.length === 2 ? "pod" : "pods"})`;
}

function labelsOf(host: StoredObjects, { metadata }: ApiObject): Labels {
  return host.labelsOf(namespaces, metadata.namespace ?? "");
}

function policyOf(labels: Labels, mode: "enforce" | "warn"): Policy {
  const given = labels[`${prefix}${mode}`];
  const level = levels.find((one) => one === given) ?? "privileged";
  return { level, version: labels[`${prefix}${mode}-version`] ?? "latest" };
}

function minorOf({ version }: Policy): number {
  const [, minor] = /^v1\.(\d+)$/.exec(version) ?? [];
  return minor === undefined ? newestMinor : Number(minor);
}

// `"restricted:latest": reason (detail), …`, or nothing.
function problemsOf(object: ApiObject, path: readonly string[], policy: Policy): string {
  const shape = policy.level === "privileged" ? undefined : podShape(object, path);
  if (shape === undefined) return "";
  const violations = violationsOf(shape, policy.level, minorOf(policy));
  if (violations.length === 0) return "";
  return `"${policy.level}:${policy.version}": ${describeViolations(violations)}`;
}

function labelErrors({ metadata }: ApiObject): readonly FieldError[] {
  const labels = recordOf(metadata.labels);
  return ["enforce", "audit", "warn"].flatMap((mode) => {
    const errors: FieldError[] = [];
    const [name, versionName] = [`${prefix}${mode}`, `${prefix}${mode}-version`];
    const level = labels[name];
    if (typeof level === "string" && !levels.some((one) => one === level)) {
      const problem = "must be one of privileged, baseline, restricted";
      errors.push(invalidValue(`metadata.labels[${name}]`, level, problem));
    }
    const version = labels[versionName];
    if (typeof version === "string" && !/^(?:latest|v1\.(?:0|[1-9]\d*))$/.test(version)) {
      const problem = `must be "latest" or "v1.x"`;
      errors.push(invalidValue(`metadata.labels[${versionName}]`, version, problem));
    }
    return errors;
  });
}

const containerLists = ["containers", "initContainers"] as const;

// Only other containers and other images can make a pod worse.
function isSignificant(pod: ApiObject, stored: ApiObject): boolean {
  const imagesOf = (object: ApiObject, list: string): readonly string[] =>
    objects(object, "spec", list).map((container) => text(container, "image"));
  if (containerLists.some((list) => !isJsonEqual(imagesOf(pod, list), imagesOf(stored, list)))) {
    return true;
  }
  const known = objects(stored, "spec", "ephemeralContainers");
  return objects(pod, "spec", "ephemeralContainers").some((container) => {
    const same = known.find((one) => one["name"] === container["name"]);
    return same === undefined || same["image"] !== container["image"];
  });
}
