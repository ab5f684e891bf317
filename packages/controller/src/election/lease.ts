import type { KubernetesObject } from "@listwatch/core-fifo";
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

/** The holder of a lease; `""` if it is free, so that any candidate may take it at once. */
export function holderOf(lease: LeaseObject | undefined): string {
  return lease?.spec?.holderIdentity ?? "";
}

/**
 * Whether two states of a lease say the same about who leads until when; labels and versions do not
 * count.
 */
export function isSameTerm(a: LeaseObject | undefined, b: LeaseObject | undefined): boolean {
  return (
    holderOf(a) === holderOf(b) &&
    a?.spec?.renewTime === b?.spec?.renewTime &&
    a?.spec?.acquireTime === b?.spec?.acquireTime &&
    a?.spec?.leaseDurationSeconds === b?.spec?.leaseDurationSeconds &&
    a?.spec?.leaseTransitions === b?.spec?.leaseTransitions
  );
}
