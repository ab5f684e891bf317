import { goQuote } from "../base/go-text.ts";
import { plainServerError } from "../api/errors.ts";
import { type Clock, untilAborted } from "@listwatch/core-fifo/base";
import type { FoundResource } from "../api/registry.ts";
import type { Exchange } from "../faults/control/control-hooks.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { Storage } from "../storage/storage.ts";

// k8s.io/apiserver cacher: `blockTimeout`.
const futureRevisionPatienceMs = 3000;

/** The storage and the front end's cache that a read uses. */
export interface ReadView {
  readonly clock: Clock;
  readonly exchange: Exchange;
  readonly storage: Storage;
  readonly store: ResourceStore;
}

/** A client's read of a resource. */
export interface ResourceRead extends FoundResource, ReadView {}

/** A resourceVersion parameter: nothing, any state, or a revision. */
export type RequestedRevision =
  | { readonly kind: "unset" }
  | { readonly kind: "any" }
  | { readonly kind: "revision"; readonly revision: number; readonly text: string };

const maxUint64 = 2n ** 64n - 1n;

/** Returns the error for a resourceVersion that is not an unsigned 64-bit number, or undefined. */
export function revisionComplaint(text: string): string | undefined {
  const complaint = uint64Complaint(text);
  return complaint && `resourceVersion: Invalid value: ${goQuote(text)}: ${complaint}`;
}

/**
 * Returns Go's error for a string that is not an unsigned 64-bit number, undefined for numbers and
 * "".
 */
export function uint64Complaint(text: string): string | undefined {
  const isNumber = /^\d*$/.test(text);
  if (isNumber && (text.length < 20 || BigInt(text) <= maxUint64)) return undefined;
  const why = isNumber ? "value out of range" : "invalid syntax";
  return `strconv.ParseUint: parsing ${goQuote(text)}: ${why}`;
}

/**
 * Reads a resourceVersion parameter.
 *
 * @throws {ApiError} 500 if it is not a number, as get and watch answer
 */
export function parseRevision(text: string, { versions }: Storage): RequestedRevision {
  if (text === "") return { kind: "unset" };
  const complaint = revisionComplaint(text);
  if (complaint !== undefined) throw plainServerError(complaint);
  const revision = versions.revisionOf(text);
  return revision === 0 ? { kind: "any" } : { kind: "revision", revision, text };
}

/** The revision that a read from the watch cache sees: the newest, unless the cache lags. */
export function visibleRevision({ exchange, storage }: ReadView): number {
  return exchange.cacheView?.revision ?? storage.revision;
}

/**
 * Waits as long as the real server does for a revision from the future. False if it did not come.
 *
 * @throws the reason of the signal when the client goes away
 */
export function awaitRevision(
  view: ReadView,
  revision: number,
  signal: AbortSignal,
): Promise<boolean> {
  const isVisible = (): boolean => visibleRevision(view) >= revision;
  if (isVisible()) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = view.storage.onRevision(() => {
    if (isVisible()) resolve(true);
  });
  const timer = view.clock.setTimeout(() => resolve(false), futureRevisionPatienceMs);
  return untilAborted(promise, signal).finally(() => {
    stop();
    timer.cancel();
  });
}
