import type { OptionCheck } from "@listwatch/core-fifo/base";
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

/** Sends requests as a service account; as the administrator without one. */
export function actAs(account: string | undefined, send: Send): Send {
  if (account === undefined) return send;
  return (request) => {
    request.headers.set(userHeader, usernameOf(account));
    return send(request);
  };
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
