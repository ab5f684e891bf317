/** The sender of a request. */
export interface UserInfo {
  /** Name of the user, such as `system:serviceaccount:default:web`. */
  readonly username: string;
  /** Id of the user; absent if the authenticator knows none. */
  readonly uid?: string | undefined;
  /** Groups of the user, such as `system:authenticated`. */
  readonly groups: readonly string[];
  /** Other attributes of the user, such as the id of the credential. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** A user of a server. */
export interface UserSettings {
  /** Name of the user. */
  readonly username: string;
  /** Groups of the user. The server adds `system:authenticated`. @default none */
  readonly groups?: readonly string[] | undefined;
  /** Id of the user. @default none */
  readonly uid?: string | undefined;
  /** Other attributes of the user. @default none */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** An action of a user that an authorizer decides on. */
export interface AccessRequest {
  /** Sender of the request. */
  readonly user: UserInfo;
  /** `get`, `list`, `watch`, `create` …; without a resource, the HTTP method in lower case. */
  readonly verb: string;
  /** True if `group` to `name` describe the request, false for `path`. */
  readonly isResource: boolean;
  /** Path of the request, without query. */
  readonly path: string;
  /** API group of the resource; `""` for the core group, and without a resource. */
  readonly group: string;
  /** Version of the API group; `""` without a resource. */
  readonly version: string;
  /** Plural name of the resource; `""` without one. */
  readonly resource: string;
  /** Name of the subresource; `""` for the resource itself. */
  readonly subresource: string;
  /** "" for all namespaces and for cluster-scoped resources. */
  readonly namespace: string;
  /** Name of the object; `""` for all objects, such as in a list. */
  readonly name: string;
}

/** Decision of an authorizer. */
export interface AccessDecision {
  /** Whether the server executes the request. A refusal is a 403. */
  readonly allowed: boolean;
  /** Explanation of a refusal, for people. It is part of the message. @default none */
  readonly reason?: string | undefined;
}

/** Decides on requests: the stored roles and bindings, or a function of the test. */
export type Authorization =
  | "rbac"
  | ((request: AccessRequest) => boolean | AccessDecision | Promise<boolean | AccessDecision>);
