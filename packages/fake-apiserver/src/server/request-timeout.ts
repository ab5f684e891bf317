import type { Clock } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { badRequest } from "../api/errors.ts";
import { statusOf } from "../api/status.ts";
import { parseDuration } from "../base/go-duration.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { plainTextType, textResponse } from "../output/result.ts";

// k8s.io/apiserver pkg/server/config.go: the default of `--request-timeout`, which is the cap.
const longestMs = 60_000;
// A real server has not even begun by then; on a clock that a test moves no time would pass.
const shortestMs = 1;
// k8s.io/apiserver pkg/server/config.go: what of a pod is as long as its client wants, as watches.
const longRunning: ReadonlySet<string> = new Set(["attach", "exec", "log", "portforward", "proxy"]);

/**
 * Answers a request within the `timeout` of its query, counted on the clock of the server: 504 when
 * that has passed. What has begun goes on, as there.
 *
 * @throws {ApiError} 400 for a string that is not a duration
 */
export async function withinTimeout(
  info: RequestInfo,
  clock: Clock,
  serve: () => Promise<Response>,
): Promise<Response> {
  const timeoutMs = timeoutOf(info);
  if (timeoutMs === undefined) return serve();
  if (timeoutMs < shortestMs) return timedOut(info.request);
  const { promise, resolve } = Promise.withResolvers<Response>();
  const end = (): void => resolve(timedOut(info.request));
  const timer = clock.setTimeout(end, Math.min(timeoutMs, longestMs));
  return Promise.race([serve(), promise]).finally(() => timer.cancel());
}

function timeoutOf({ query, subresource, verb }: RequestInfo): number | undefined {
  const text = query.get("timeout") ?? "";
  if (text === "" || verb === "watch" || longRunning.has(subresource)) return undefined;
  const timeoutMs = parseDuration(text);
  if (typeof timeoutMs === "string") {
    throw badRequest(`invalid timeout specified in the request URL - ${timeoutMs}`);
  }
  return timeoutMs > 0 ? timeoutMs : undefined;
}

// Written by what watches the time, which knows no other form: filters/timeout.go.
function timedOut(request: Request): Response {
  const message = "Timeout: request did not complete within the allotted timeout";
  const {
    apiVersion: _version,
    kind: _kind,
    ...status
  } = statusOf(new ApiError({ code: 504, reason: "Timeout", message, details: {} }));
  return textResponse(request, 504, plainTextType, `${JSON.stringify(status)}\n`);
}
