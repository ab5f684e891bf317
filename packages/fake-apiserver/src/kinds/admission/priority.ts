import { recordOf } from "@listwatch/core-fifo/base";
import { forbidden } from "../../api/errors.ts";
import type { ApiObject } from "../../api/api-object.ts";
import { textOf } from "../../base/go-text.ts";
import { count, flag, text } from "../../base/read-fields.ts";
import type { KindHost } from "../define-kind.ts";

const podNames = { group: "", plural: "pods", kind: "Pod" };
const classNames = { group: "scheduling.k8s.io", plural: "priorityclasses" };
/** The classes that every cluster has: k8s.io/kubernetes pkg/apis/scheduling. */
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ["system-cluster-critical", 2_000_000_000],
  ["system-node-critical", 2_000_001_000],
]);

interface Priority {
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string;
}

/**
 * A new pod with the priority of its class, or of the default class.
 *
 * @throws {ApiError} 403 for a class that does not exist, and for another priority than that of the
 *   class; only with validation
 */
export function withPriority(pod: ApiObject, host: KindHost): ApiObject {
  const spec = recordOf(pod["spec"]);
  const name = text(spec, "priorityClassName");
  const found = name === "" ? defaultPriority(host) : priorityOf(name, host);
  const refuse = (why: string): never => {
    throw forbidden(podNames, pod.metadata.name ?? "", why);
  };
  if (found === undefined) {
    if (host.validation === "off") return pod;
    return refuse(`no PriorityClass with name ${name} was found`);
  }
  const { className, preemptionPolicy, value: priority } = found;
  if (host.validation === "full") {
    const computed = (what: string, given: unknown, wanted: unknown): string =>
      `the ${what} (${textOf(given)}) must not be provided in pod spec; priority admission controller computed ${textOf(wanted)} from the given PriorityClass name`;
    const given = spec["priority"];
    if (given !== undefined && given !== priority) {
      refuse(computed("integer value of priority", given, priority));
    }
    const policy = spec["preemptionPolicy"];
    if (policy !== undefined && policy !== preemptionPolicy) {
      refuse(computed("string value of PreemptionPolicy", policy, preemptionPolicy));
    }
  } else if (spec["priority"] !== undefined) return pod;
  const named = className === "" ? {} : { priorityClassName: className };
  return { ...pod, spec: { ...spec, ...named, priority, preemptionPolicy } };
}

function priorityOf(name: string, { objectsOf }: KindHost): Priority | undefined {
  const stored = objectsOf(classNames).find(({ metadata }) => metadata.name === name);
  if (stored !== undefined) return readClass(stored);
  const value = systemPriorities.get(name);
  if (value === undefined) return undefined;
  return { className: name, value, preemptionPolicy: "PreemptLowerPriority" };
}

// The lowest value wins if there are several default classes.
function defaultPriority({ objectsOf }: KindHost): Priority {
  const [lowest] = objectsOf(classNames)
    .filter((one) => flag(one, "globalDefault"))
    .map(readClass)
    .toSorted((one, other) => one.value - other.value);
  return lowest ?? { className: "", value: 0, preemptionPolicy: "PreemptLowerPriority" };
}

function readClass(object: ApiObject): Priority {
  return {
    className: object.metadata.name ?? "",
    value: count(object, "value"),
    preemptionPolicy: text(object, "preemptionPolicy") || "PreemptLowerPriority",
  };
}

/**
 * Refuses a second default class.
 *
 * @throws {ApiError} 403; only with validation
 */
export function checkOnlyDefault(
  priorityClass: ApiObject,
  { objectsOf, validation }: KindHost,
): void {
  if (validation === "off" || !flag(priorityClass, "globalDefault")) return;
  const { name } = priorityClass.metadata;
  const other = objectsOf(classNames).find(
    (one) => flag(one, "globalDefault") && one.metadata.name !== name,
  );
  if (other === undefined) return;
  const why =
    `PriorityClass ${other.metadata.name ?? ""} is already marked as default. ` +
    "Only one default can exist";
  throw forbidden({ ...classNames, kind: "PriorityClass" }, name ?? "", why);
}
