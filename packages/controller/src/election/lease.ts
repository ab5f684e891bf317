import type { KubernetesObject } from "@listwatch/core-fifo";
import { isJsonEqual, numberOf, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceReference } from "@listwatch/client";

/**
 * As much of a coordination.k8s.io/v1 Lease as an election needs. Times have microseconds, as the
 * API asks for.
 */
export interface LeaseSpec {
  readonly holderIdentity?: string | undefined;
  readonly leaseDurationSeconds?: number | undefined;
  readonly acquireTime?: string | undefined;
  readonly renewTime?: string | undefined;
  readonly leaseTransitions?: number | undefined;
}

/** A lease, as the API server has it. */
export interface LeaseObject extends KubernetesObject {
  readonly spec?: LeaseSpec | undefined;
}

/** Where leases are. */
export const leases: ResourceReference = {
  group: "coordination.k8s.io",
  version: "v1",
  resource: "leases",
};

/**
 * The holder of a lease; `""` if it is free, so that any candidate may take it at once. What is no
 * text stands for a holder too.
 */
export function holderOf(lease: LeaseObject | undefined): string {
  const holder: unknown = specOf(lease)["holderIdentity"];
  if (typeof holder === "string") return holder;
  return holder === undefined || holder === null ? "" : JSON.stringify(holder);
}

/** The longest duration that a lease can have, in seconds: an int32 of the API. */
const maxDurationSeconds = 2 ** 31 - 1;

/**
 * How long the holder of a lease has it after a renewal, in milliseconds; `undefined` if the lease
 * does not say, so that its holder is not taken for one whose time is over.
 */
export function durationOf(lease: LeaseObject | undefined): number | undefined {
  const seconds = numberOf(specOf(lease)["leaseDurationSeconds"]);
  return seconds > 0 && seconds <= maxDurationSeconds ? seconds * 1000 : undefined;
}

/** How often the lease has changed its holder. */
export function transitionsOf(lease: LeaseObject | undefined): number {
  const transitions = numberOf(specOf(lease)["leaseTransitions"]);
  return Number.isSafeInteger(transitions) && transitions > 0 ? transitions : 0;
}

/**
 * Whether two states of a lease say the same about who leads until when; labels and versions do not
 * count.
 */
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
