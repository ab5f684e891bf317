import type { UserInfo, AccessRequest } from "../api/access.ts";
import {
  accountGroups,
  accountOf,
  anonymousUser,
  authenticatedGroup,
  unauthenticatedGroup,
} from "../authentication/user-info.ts";
import { goQuote } from "../base/go-text.ts";
import { ApiError } from "../api/api-error.ts";
import { noResource } from "./access-request.ts";

const prefix = "impersonate-";
const extraPrefix = `${prefix}extra-`;
const authenticationGroup = "authentication.k8s.io";

/**
 * Returns the user that the impersonation headers name; undefined without headers.
 *
 * @throws {ApiError} 400 for headers that set attributes but not a user name
 */
export function impersonatedUser(headers: Headers): UserInfo | undefined {
  const username = headers.get(`${prefix}user`) ?? "";
  const uid = headers.get(`${prefix}uid`) ?? "";
  const groups = listed(headers.get(`${prefix}group`));
  const extra = readExtra(headers);
  const hasExtra = Object.keys(extra).length > 0;
  if (username !== "") {
    return {
      username,
      ...(uid === "" ? {} : { uid }),
      groups: completeGroups(username, groups),
      ...(hasExtra && { extra }),
    };
  }
  if (uid === "" && groups.length === 0 && !hasExtra) return undefined;
  const message = `requested ${show(uid, groups, extra)} without impersonating a user name`;
  throw new ApiError({ code: 400, reason: "BadRequest", message, noSniff: true });
}

/** Returns the permissions needed to impersonate a user, as in servers before 1.36. */
export function impersonationChecks(user: UserInfo, headers: Headers): readonly AccessRequest[] {
  const { extra = {}, uid, username } = impersonatedUser(headers) ?? anonymousUser;
  const account = accountOf(username);
  const base = {
    ...noResource,
    isResource: true,
    user,
    verb: "impersonate",
    path: "",
    version: "v1",
  };
  const checks: AccessRequest[] = [
    account === undefined
      ? { ...base, resource: "users", name: username }
      : { ...base, resource: "serviceaccounts", ...account },
  ];
  for (const name of listed(headers.get(`${prefix}group`))) {
    checks.push({ ...base, resource: "groups", name });
  }
  const ofAuthentication = { ...base, group: authenticationGroup };
  for (const [subresource, values] of Object.entries(extra)) {
    for (const name of values) {
      checks.push({ ...ofAuthentication, resource: "userextras", subresource, name });
    }
  }
  if (uid !== undefined) checks.push({ ...ofAuthentication, resource: "uids", name: uid });
  return checks;
}

/**
 * Returns the request that an impersonator would need permission for, as the refusal names it. Its
 * verbs are those of constrained impersonation (KEP-5284).
 */
export function impersonatedRequest(request: AccessRequest, username: string): AccessRequest {
  return { ...request, verb: `impersonate-on:${modeOf(username)}:${request.verb}` };
}

function modeOf(username: string): string {
  if (username.startsWith("system:node:")) return "arbitrary-node";
  return accountOf(username) === undefined ? "user-info" : "serviceaccount";
}

// Several headers with one name arrive joined by commas.
function listed(value: string | null): readonly string[] {
  return value === null ? [] : value.split(",").map((one) => one.trim());
}

function readExtra(headers: Headers): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = {};
  for (const [name, value] of headers) {
    if (name.startsWith(extraPrefix))
      extra[unescaped(name.slice(extraPrefix.length))] = listed(value);
  }
  return extra;
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function completeGroups(username: string, groups: readonly string[]): readonly string[] {
  const account = accountOf(username);
  const given =
    groups.length === 0 && account !== undefined ? accountGroups(account.namespace) : groups;
  const all = username === anonymousUser.username ? unauthenticatedGroup : authenticatedGroup;
  const isKnown = given.includes(authenticatedGroup) || given.includes(unauthenticatedGroup);
  return isKnown ? given : [...given, all];
}

// Formats like Go's `%#v` of a user.
function show(
  uid: string,
  groups: readonly string[],
  extra: Readonly<Record<string, readonly string[]>>,
): string {
  const texts = (values: readonly string[]): string =>
    values.length === 0 ? "[]string(nil)" : `[]string{${values.map(goQuote).join(", ")}}`;
  const members = Object.entries(extra).map(([key, values]) => `${goQuote(key)}:${texts(values)}`);
  const shown = members.length === 0 ? "(nil)" : `{${members.join(", ")}}`;
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${texts(groups)}, Extra:map[string][]string${shown}}`;
}
