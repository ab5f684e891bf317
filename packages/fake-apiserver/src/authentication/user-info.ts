import type { ServiceAccountClaims } from "./service-account-token.ts";

/** Who sends a request. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  /** What else is known of the user, such as the id of the credential. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** The group whose members may do everything. */
export const mastersGroup = "system:masters";
/** The group of all users with credentials. */
export const authenticatedGroup = "system:authenticated";
/** The group of the user without credentials. */
export const unauthenticatedGroup = "system:unauthenticated";
const accountsGroup = "system:serviceaccounts";
const accountPrefix = "system:serviceaccount:";

/** Sends all requests of a server that does not tell users apart. */
export const clusterAdmin: UserInfo = {
  username: "kubernetes-admin",
  groups: [mastersGroup, authenticatedGroup],
};

/** Sends the requests without credentials to a server that tells users apart. */
export const anonymousUser: UserInfo = {
  username: "system:anonymous",
  groups: [unauthenticatedGroup],
};

/** The name of a service account as a user. */
export function accountUsername(namespace: string, name: string): string {
  return `${accountPrefix}${namespace}:${name}`;
}

/** The service account that a user is; undefined for other users. */
export function accountOf(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(accountPrefix)) return undefined;
  const [namespace = "", name = "", ...more] = username.slice(accountPrefix.length).split(":");
  return namespace === "" || name === "" || more.length > 0 ? undefined : { namespace, name };
}

/** The groups that a service account is in. */
export function accountGroups(namespace: string): readonly string[] {
  return [accountsGroup, `${accountsGroup}:${namespace}`];
}

/** The user that a token of a service account stands for. */
export function userOfAccount(claims: ServiceAccountClaims): UserInfo {
  const { boundObject, id, namespace, serviceAccount } = claims;
  const prefix = "authentication.kubernetes.io/";
  const extra: Record<string, readonly string[]> = { [`${prefix}credential-id`]: [`JTI=${id}`] };
  // A Secret is not told: pkg/serviceaccount/util.go.
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

/** A user with the group of all users with credentials. */
export function authenticated(user: UserInfo): UserInfo {
  if (user.groups.includes(authenticatedGroup)) return user;
  return { ...user, groups: [...user.groups, authenticatedGroup] };
}
