import type { KubernetesObject } from "@listwatch/core-fifo";
import { isJsonEqual, numberOf, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceReference } from "@listwatch/client";

/**
 * The fields of a coordination.k8s.io/v1 Lease that an election uses. Times have microseconds, as
 * the API requires.
 */
export interface LeaseSpec {
  readonly holderIdentity?: string | undefined;
  readonly leaseDurationSeconds?: number | undefined;
  readonly acquireTime?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly leaseTransitions?: number | undefined;
}

/** A lease as stored by the API server. */
export interface LeaseObject extends KubernetesObject {
  readonly spec?: LeaseSpec | undefined;
}

/** The resource of leases. */
export const leases: ResourceReference = {
  group: "coordination.k8s.io",
  version: "v1",
  resource: "leases",
};

/**
 * Returns the holder of a lease; `""` if it is free and any candidate may take it at once. A value
 * that is not a string counts as a holder too.
 */
export function holderOf(lease: LeaseObject | undefined): string {
  const holder: unknown = specOf(lease)["holderIdentity"];
  if (typeof holder === "string") return holder;
  return holder === undefined || holder === null ? "" : JSON.stringify(holder);
}

/** Longest duration of a lease, in seconds: an int32 of the API. */
const maxDurationSeconds = 2 ** 31 - 1;

/**
 * How long a lease is held after a renewal, in milliseconds. `undefined` if the lease does not
 * contain it, so that its holder is not considered expired.
 */
export function durationOf(lease: LeaseObject | undefined): number | undefined {
  const seconds = numberOf(specOf(lease)["leaseDurationSeconds"]);
  return seconds > 0 && seconds <= maxDurationSeconds ? seconds * 1000 : undefined;
}

/** Returns how often the lease has changed its holder. */
export function transitionsOf(lease: LeaseObject | undefined): number {
  const transitions = numberOf(specOf(lease)["leaseTransitions"]);
  return Number.isSafeInteger(transitions) && transitions > 0 ? transitions : 0;
}

/** Whether two states of a lease have the same holder and times. Labels and versions do not count. */
export function isSameTerm(a: LeaseObject | undefined, b: LeaseObject | undefined): boolean {
  const [one, other] = [specOf(a), specOf(b)];
  return (
    holderOf(a) === holderOf(b) && termMembers.every((name) => isJsonEqual(one[name], other[name]))
  );
}

const termMembers = ["renewTime", "acquireTime", "leaseDurationSeconds", "leaseTransitions"];

function specOf(lease: LeaseObject | undefined): JsonObject {
  return recordOf(lease?.spec);
}
