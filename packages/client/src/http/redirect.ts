import { StatusError, type RefusedRequest } from "../errors/status-error.ts";
import { describeAddress } from "./address.ts";

/**
 * The error for an answer that sends elsewhere, or that comes from elsewhere because the transport
 * has followed; `undefined` for any other answer. client-go follows redirects; here the page of a
 * proxy must never look like a list, and no header leaves for another host.
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
  // What a browser shows of a redirect is that there is one.
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
