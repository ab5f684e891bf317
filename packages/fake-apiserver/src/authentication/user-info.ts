import type { UserInfo } from "../api/access.ts";
import type { ServiceAccountClaims } from "./service-account-token.ts";

/** Group whose members may do everything. */
export const mastersGroup = "system:masters";
/** Group of all users with credentials. */
export const authenticatedGroup = "system:authenticated";
/** Group of the anonymous user. */
export const unauthenticatedGroup = "system:unauthenticated";
const accountsGroup = "system:serviceaccounts";
const accountPrefix = "system:serviceaccount:";

/** Sender of all requests to a server without authentication. */
export const clusterAdmin: UserInfo = {
  username: "kubernetes-admin",
  groups: [mastersGroup, authenticatedGroup],
};

/** Sender of requests without credentials to a server with authentication. */
export const anonymousUser: UserInfo = {
  username: "system:anonymous",
  groups: [unauthenticatedGroup],
};

/** Returns the user name of a service account. */
export function accountUsername(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** Returns the service account of a user name; undefined for other users. */
export function accountOf(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = "", name = "", ...more] = username.slice(accountPrefix.length).split(":");
  return namespace === "" || name === "" || more.length > 0 ? undefined : { namespace, name };
}

/** Returns the groups of a service account. */
export function accountGroups(namespace: string): readonly string[] {
  return [accountsGroup, `${accountsGroup}:${namespace}`];
}

/** Returns the user of a service account token. */
export function userOfAccount(claims: ServiceAccountClaims): UserInfo {
  const { boundObject, id, namespace, serviceAccount } = claims;
  const prefix = "authentication.kubernetes.io/";
  const extra: Record<string, readonly string[]> = { [`${prefix}credential-id`]: [`JTI=${id}`] };
  // A bound Secret is not listed: pkg/serviceaccount/util.go.
  if (boundObject !== undefined && boundObject.kind !== "Secret") {
    const kind = boundObject.kind.toLowerCase();
    extra[`${prefix}${kind}-name`] = [boundObject.name];
    extra[`${prefix}${kind}-uid`] = [boundObject.uid];
  }
  return {
    username: accountUsername(namespace, serviceAccount.name),
    uid: serviceAccount.uid,
    groups: [...accountGroups(namespace), authenticatedGroup],
    extra,
  };
}

/** Adds the group of all users with credentials. */
export function authenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
