import { type OptionCheck, recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { isRecording } from "./rights-file.ts";

/** Header with which an administrator acts as another user. */
export const userHeader = "impersonate-user";

/** Checks the service account of a program: `NAMESPACE/NAME`. */
export const anAccount: OptionCheck = (value) =>
  typeof value === "string" && /^[^/\s:]+\/[^/\s:]+$/.test(value)
    ? undefined
    : "a service account as NAMESPACE/NAME";

/** Returns the namespace of a service account. */
export function namespaceOf(account: string): string {
  return account.split("/")[0] ?? "";
}

/** Returns the user name of a service account. */
export function usernameOf(account: string): string {
  return `system:serviceaccount:${account.replace("/", ":")}`;
}

type Send = (request: Request) => Promise<Response>;

/**
 * Sends requests as a service account; as the administrator without one.
 *
 * @param onRefused called with the server's message for each request that the roles do not allow
 */
export function actAs(
  account: string | undefined,
  send: Send,
  onRefused: (message: string) => void,
): Send {
  if (account === undefined) return send;
  return async (request) => {
    request.headers.set(userHeader, usernameOf(account));
    const response = await send(request);
    if (response.status !== 403) return response;
    const { headers, status, statusText } = response;
    const body = await response.text();
    const message = refusalIn(body, account);
    if (message !== undefined) onRefused(message);
    return new Response(body, { headers, status, statusText });
  };
}

/**
 * Returns the message of a refusal by roles. Other answers have the same status: of webhooks,
 * quotas, namespaces that end, and faults of a test.
 */
function refusalIn(body: string, account: string): string | undefined {
  const message = messageIn(body);
  return message.includes(`User "${usernameOf(account)}" cannot `) ? message : undefined;
}

function messageIn(body: string): string {
  try {
    return stringOf(recordOf(JSON.parse(body))["message"]);
  } catch {
    return "";
  }
}

/**
 * Returns the options of a server whose program has a service account: its roles decide, unless its
 * requests are recorded for the roles to come.
 */
export function optionsFor(
  account: string | undefined,
): Pick<FakeApiServerOptions, "authorization"> {
  return account === undefined || isRecording() ? {} : { authorization: "rbac" };
}
