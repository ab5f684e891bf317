import { StatusError, type RefusedRequest } from "../errors/status-error.ts";
import { describeAddress } from "./address.ts";

/**
 * Returns the error for a redirect, or for a response from elsewhere because the transport followed
 * one; `undefined` for any other response. client-go follows redirects; here the page of a proxy
 * must never look like a list, and no header is sent to another host.
 */
export function redirectErrorOf(
  response: Response,
  requestUrl: string,
  attempted: string,
  refused: RefusedRequest,
): StatusError | undefined {
  const way = describeWay(response, requestUrl);
  if (way === undefined) return undefined;
  void response.body?.cancel().catch(() => undefined);
  const { status } = response;
  const message = `${attempted}: ${way}`;
  const code = isRedirection(status) ? { code: status } : {};
  return new StatusError(
    { kind: "Status", apiVersion: "v1", status: "Failure", message, ...code },
    refused,
  );
}

function describeWay(response: Response, requestUrl: string): string | undefined {
  const { status, type } = response;
  if (response.redirected) {
    return `the transport has followed a redirect to ${describeAddress(response.url)}, which it must not`;
  }
  // A browser only reveals that there is a redirect.
  if (type === "opaqueredirect")
    return "the server answered with a redirect, which is not followed";
  const location = isRedirection(status) ? response.headers.get("location") : null;
  if (location === null) return undefined;
  const target = describeAddress(location, requestUrl);
  return `the server answered ${status} with a redirect to ${target}, which is not followed`;
}

function isRedirection(status: number): boolean {
  return status >= 300 && status < 400;
}
