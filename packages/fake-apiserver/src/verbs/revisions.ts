import { goQuote } from "../base/go-text.ts";
import { plainServerError } from "../api/errors.ts";
import { untilAborted } from "@listwatch/core-fifo/base";
import type { ResourceRequest } from "./resource-request.ts";

// k8s.io/apiserver cacher: `blockTimeout`.
const futureRevisionPatienceMs = 3000;

/** A resourceVersion parameter: nothing, any state, or a revision. */
export type RequestedRevision =
  | { readonly kind: "unset" }
  | { readonly kind: "any" }
  | { readonly kind: "revision"; readonly revision: number; readonly text: string };

const maxUint64 = 2n ** 64n - 1n;

/** The complaint about a resourceVersion that is no unsigned 64-bit number, or undefined. */
export function revisionComplaint(text: string): string | undefined {
  const isNumber = /^\d*$/.test(text);
  if (isNumber && (text.length < 20 || BigInt(text) <= maxUint64)) return undefined;
  const shown = goQuote(text);
  const why = isNumber ? "value out of range" : "invalid syntax";
  return `resourceVersion: Invalid value: ${shown}: strconv.ParseUint: parsing ${shown}: ${why}`;
}

/**
 * Reads a resourceVersion parameter.
 *
 * @throws {ApiError} 500 when it is no number, as get and watch answer.
 */
export function parseRevision(text: string): RequestedRevision {
  if (text === "") return { kind: "unset" };
  const complaint = revisionComplaint(text);
  if (complaint !== undefined) throw plainServerError(complaint);
  const revision = Number(text);
  return revision === 0 ? { kind: "any" } : { kind: "revision", revision, text };
}

/** The revision that a read from the watch cache sees: the newest, unless the cache lags. */
export function visibleRevision({
  exchange,
  storage,
}: Pick<ResourceRequest, "exchange" | "storage">): number {
  return exchange.cacheView?.revision ?? storage.revision;
}

/**
 * Waits as long as the real server does for a revision from the future. False if it did not come.
 *
 * @throws the reason of the request's signal when the client goes away
 */
export function awaitRevision(
  request: Pick<ResourceRequest, "clock" | "exchange" | "info" | "storage">,
  revision: number,
): Promise<boolean> {
  const isVisible = (): boolean => visibleRevision(request) >= revision;
  if (isVisible()) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = request.storage.onRevision(() => {
    if (isVisible()) resolve(true);
  });
  const timer = request.clock.setTimeout(() => resolve(false), futureRevisionPatienceMs);
  return untilAborted(promise, request.info.request.signal).finally(() => {
    stop();
    timer.cancel();
  });
}
