import { type JsonObject, type MutableJsonObject, recordOf } from "@listwatch/core-fifo/base";
import { field, objects, text } from "../../base/read-fields.ts";
import { canonicalQuantity, quantityNanos } from "../../schema/quantity.ts";

const overcommittable = ["cpu", "memory"];
const nanosPerMilli = 1_000_000n;
const nanosPerKibi = 1024n * 1_000_000_000n;

/**
 * The requests of a pod that has limits as a whole: what its containers request, else the limits
 * (pkg/apis/core/v1/defaults.go, `defaultPodRequests`).
 */
export function podResourceDefaults(spec: JsonObject): JsonObject {
  const resources = recordOf(spec["resources"]);
  const limits = recordOf(resources["limits"]);
  if (Object.keys(limits).length === 0) return spec;
  const requests: MutableJsonObject = { ...recordOf(resources["requests"]) };
  for (const name of overcommittable) {
    const requested = requests[name] ?? requestOfContainers(spec, name);
    if (requested !== undefined) requests[name] = requested;
  }
  for (const name in limits) {
    const isOfPods = overcommittable.includes(name) || name.startsWith("hugepages-");
    if (isOfPods) requests[name] ??= limits[name];
  }
  return Object.keys(requests).length === 0
    ? spec
    : { ...spec, resources: { ...resources, requests } };
}

// All regular containers and those that run beside them, or the largest of those before.
function requestOfContainers(spec: JsonObject, name: string): string | undefined {
  let sum = quantitiesOf(objects(spec, "containers"), name);
  const beside: string[] = [];
  let largest: readonly string[] = [];
  for (const container of objects(spec, "initContainers")) {
    const own = quantitiesOf([container], name);
    const isBeside = container["restartPolicy"] === "Always";
    if (isBeside) beside.push(...own);
    const needed = isBeside ? [...beside] : [...beside, ...own];
    if (total(needed) > total(largest)) largest = needed;
  }
  sum = [...sum, ...beside];
  return format(total(largest) > total(sum) ? largest : sum);
}

function quantitiesOf(containers: readonly JsonObject[], name: string): readonly string[] {
  return containers
    .filter((container) => field(container, "resources", "requests", name) !== undefined)
    .map((container) => text(container, "resources", "requests", name));
}

function total(quantities: readonly string[]): bigint {
  return quantities.reduce((sum, quantity) => sum + (quantityNanos(quantity) ?? 0n), 0n);
}

// A sum has the form of its first part.
function format(quantities: readonly string[]): string | undefined {
  const [first] = quantities;
  if (first === undefined || quantities.length === 1) return first;
  const nanos = total(quantities);
  const isBinary = first.endsWith("i") && nanos % nanosPerKibi === 0n;
  const shown = isBinary ? `${nanos / nanosPerKibi}Ki` : `${nanos / nanosPerMilli}m`;
  return canonicalQuantity(shown) ?? shown;
}
