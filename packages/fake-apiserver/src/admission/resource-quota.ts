import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { forbidden } from "../api/errors.ts";
import { groupResource } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { compareBytes, textOf } from "../base/go-text.ts";
import { field } from "../base/read-fields.ts";
import { nanosOf } from "../rules/quantities.ts";
import { canonicalQuantity } from "../schema/quantity.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import {
  isInScopes,
  isUsedBy,
  missingResources,
  uncounted,
  type Usage,
  usageOf,
} from "./quota-usage.ts";

interface LimitedWrite {
  readonly definition: ResourceDefinition;
  readonly storage: Storage;
  readonly object: ApiObject;
  /** Undefined for a new object. */
  readonly stored: ApiObject | undefined;
}

/** A quota and its object with the usage after a write. */
interface Charge {
  readonly quota: StoredObject;
  readonly object: ApiObject;
}

// Updates of other kinds cannot use more.
const growing: ReadonlySet<string> = new Set(["services", "persistentvolumeclaims"]);

/**
 * Checks a write against the quotas of its namespace, using the usage in their status. A controller
 * fills in the status of a new quota; until then nothing is limited. Returns a function to call
 * once the write is done (k8s.io/apiserver pkg/admission/plugin/resourcequota).
 *
 * @throws {ApiError} 403
 */
export function chargeQuotas(write: LimitedWrite): () => void {
  const { definition, object, storage, stored } = write;
  const resource = groupResource(definition);
  const isCounted = definition.namespaced && !uncounted.has(resource);
  if (!isCounted || (stored !== undefined && !growing.has(resource))) return doNothing;
  const store = storage.store("resourcequotas");
  const { namespace = "" } = object.metadata;
  const quotas = store.size === 0 ? [] : store.objectsWithin(`${namespace}/`);
  const charges = quotas.flatMap((quota) => chargeOf(quota, write) ?? []);
  if (charges.length === 0) return doNothing;
  return () => {
    for (const charge of charges) storage.write(store, charge.object);
  };
}

function doNothing(): void {
  // Nothing is limited.
}

function chargeOf(quota: StoredObject, write: LimitedWrite): Charge | undefined {
  const { definition, object, stored } = write;
  const resource = groupResource(definition);
  const hard = recordOf(field(quota.object, "status", "hard"));
  const used = recordOf(field(quota.object, "status", "used"));
  const names = Object.keys(hard).filter((name) => isUsedBy(resource, name));
  if (names.length === 0 || !isInScopes(resource, object, quota.object)) return undefined;
  const refuse = (why: string): never => {
    throw forbidden(definition, object.metadata.name ?? "", why);
  };
  if (resource === "pods") {
    const missing = missingResources(object, new Set(names));
    if (missing !== "") refuse(`failed quota: ${quota.name}: must specify ${missing}`);
  }
  if (names.some((name) => used[name] === undefined)) {
    const listed = names.toSorted(compareBytes).join(",");
    refuse(`status unknown for quota: ${quota.name}, resources: ${listed}`);
  }
  const isMatched = stored !== undefined && isInScopes(resource, stored, quota.object);
  const before = isMatched ? usageOf(resource, stored) : undefined;
  const asked = difference(usageOf(resource, object), before);
  const requested = names.filter((name) => (asked.get(name) ?? 0n) !== 0n).toSorted(compareBytes);
  if (requested.length === 0) return undefined;
  const quantityOf = (name: string): string => quantity(asked.get(name) ?? 0n, hard[name]);
  const after = (name: string): bigint => nanosOf(used[name]) + (asked.get(name) ?? 0n);
  const exceeded = requested.filter((name) => after(name) > nanosOf(hard[name]));
  if (exceeded.length > 0) {
    const show = (valueOf: (name: string) => string): string =>
      exceeded.map((name) => `${name}=${valueOf(name)}`).join(",");
    refuse(
      `exceeded quota: ${quota.name}, requested: ${show(quantityOf)}, ` +
        `used: ${show((name) => textOf(used[name]))}, limited: ${show((name) => textOf(hard[name]))}`,
    );
  }
  const grown = requested.map((name) => {
    const similar = nanosOf(used[name]) === 0n ? hard[name] : used[name];
    return [name, quantity(after(name), similar)] as const;
  });
  return { quota, object: withUsed(quota.object, { ...used, ...Object.fromEntries(grown) }) };
}

function withUsed(quota: ApiObject, used: JsonObject): ApiObject {
  return { ...quota, status: { ...recordOf(quota["status"]), used } };
}

// Never negative: only the controller reduces the recorded usage.
function difference(after: Usage, before: Usage | undefined): Usage {
  if (before === undefined) return after;
  return new Map(
    Array.from(after, ([name, amount]) => {
      const more = amount - (before.get(name) ?? 0n);
      return [name, more > 0n ? more : 0n];
    }),
  );
}

/** Writes billionths, with a binary suffix if a similar quantity has one. */
export function quantity(nanos: bigint, similar: unknown): string {
  const decimal = canonicalQuantity(`${nanos}n`) ?? `${nanos}n`;
  const isBinary = /[KMGTPE]i$/.test(textOf(similar));
  return isBinary ? (binaryQuantity(nanos) ?? decimal) : decimal;
}

const nanosInKibi = 1024n * 1_000_000_000n;

function binaryQuantity(nanos: bigint): string | undefined {
  if (nanos === 0n || nanos % nanosInKibi !== 0n) return undefined;
  let rest = nanos / nanosInKibi;
  const suffixes = ["Mi", "Gi", "Ti", "Pi", "Ei"];
  let suffix = "Ki";
  while (rest % 1024n === 0n && suffixes.length > 0) {
    rest /= 1024n;
    suffix = suffixes.shift() ?? suffix;
  }
  return `${rest}${suffix}`;
}
