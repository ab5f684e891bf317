import { goQuote } from "../base/go-text.ts";
import { plainServerError } from "../api/errors.ts";
import { untilAborted } from "@listwatch/core-fifo/base";
import type { ResourceRequest } from "./resource-request.ts";

// k8s.io/apiserver cacher: `blockTimeout`; api-server §0.10.
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

/**
 * Waits as long as the real server does for a revision from the future. False if it did not come;
 * rejects when the client goes away.
 */
export function awaitRevision(
  { core, info }: Pick<ResourceRequest, "core" | "info">,
  revision: number,
  visible: () => number,
): Promise<boolean> {
  if (visible() >= revision) return Promise.resolve(true);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const stop = core.storage.onRevision(() => {
    if (visible() >= revision) resolve(true);
  });
  const timer = core.clock.setTimeout(() => resolve(false), futureRevisionPatienceMs);
  return untilAborted(promise, info.request.signal).finally(() => {
    stop();
    timer.cancel();
  });
}
