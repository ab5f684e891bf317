import type { IssuedSecret } from "./issued-secret.ts";
import { haveSameElements, includesAll } from "./pem.ts";

/** The state that decides about the next write, read in the order of the members. */
export interface Observed {
  /** `caBundle` of each webhook that API servers call already. */
  readonly bundles: readonly (readonly string[])[];
  /**
   * Whether a configuration lacks a webhook of its rules, or lacks rules of this version although
   * all replicas have them.
   */
  readonly isIncomplete: boolean;
  readonly secret: IssuedSecret;
  /** Whether every replica serves the current certificate. */
  readonly isServedByAll: boolean;
}

/** Needs of this process. */
export interface RotationNeeds {
  readonly nowMs: number;
  readonly hosts: readonly string[];
  readonly renewBeforeMs: number;
  /** Whether all bundles have had the authority of `next` for long enough. */
  readonly hasSettled: boolean;
  /** Whether this replica has served the current certificate for long enough. */
  readonly hasServed: boolean;
}

/**
 * The next step.
 *
 * - `issue`: write a new authority and its certificate beside the current ones.
 * - `publish`: add authorities to each `caBundle`.
 * - `promote`: let replicas serve the new certificate.
 * - `retire`: remove authorities from the Secret whose certificates no replica serves.
 * - `shrink`: remove them from each `caBundle`.
 * - `introduce`: write configurations that do not exist yet, or have the rules of an old version.
 * - `wait`: nothing yet.
 * - `rest`: all is done.
 */
export type Step =
  | "introduce"
  | "issue"
  | "promote"
  | "publish"
  | "rest"
  | "retire"
  | "shrink"
  | "wait";

/**
 * Decides about the next step of a rotation. There is no other memory of a rotation than the
 * Secret, the bundles and the records of replicas, so another process continues at any point.
 *
 * ```
 *            issue              publish         promote            retire          shrink
 *   Secret   ca 2 1, next 2     ca 2 1, next 2  ca 2 1, tls 2      ca 2, tls 2     ca 2, tls 2
 *   bundles  1                  1 2             1 2                1 2             2
 *   replicas 1                  1               1, later 2         2               2
 * ```
 */
export function decideStep(
  { bundles, isIncomplete, isServedByAll, secret }: Observed,
  { hasServed, hasSettled, hosts, nowMs, renewBeforeMs }: RotationNeeds,
): Step {
  const { authorities, current, next } = secret;
  const isPublished = bundles.every((bundle) => includesAll(bundle, authorities));
  if (next !== undefined && isUsableAt(next, nowMs) && includesAll(next.hosts, hosts)) {
    if (!isPublished) return "publish";
    return hasSettled || bundles.length === 0 ? "promote" : "wait";
  }
  const isDue =
    current === undefined ||
    // The clock that it was made with was ahead.
    nowMs < current.notBeforeMs ||
    nowMs >= current.notAfterMs - renewBeforeMs ||
    !includesAll(current.hosts, hosts);
  if (isDue) return "issue";
  if (!isPublished) return "publish";
  const isOnly = haveSameElements(authorities, [current.authority]);
  const isExact = bundles.every((bundle) => haveSameElements(bundle, authorities));
  if (isServedByAll && !isOnly) return "retire";
  if (isServedByAll && !isExact) return "shrink";
  if (isIncomplete && hasServed) return "introduce";
  return isOnly && isExact && !isIncomplete ? "rest" : "wait";
}

/** Whether calls of webhooks fail until someone writes. */
export function isUrgent(
  { bundles, secret }: Pick<Observed, "bundles" | "secret">,
  nowMs: number,
): boolean {
  const { current } = secret;
  if (current === undefined || !isUsableAt(current, nowMs)) return true;
  return !bundles.every((bundle) => bundle.includes(current.authority));
}

/** Whether a certificate exists, is valid already, and has not expired. */
export function isUsableAt(
  certificate: { readonly notBeforeMs: number; readonly notAfterMs: number } | undefined,
  nowMs: number,
): boolean {
  if (certificate === undefined) return false;
  return certificate.notBeforeMs <= nowMs && nowMs < certificate.notAfterMs;
}
