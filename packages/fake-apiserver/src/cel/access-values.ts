import type { AccessDecision, AccessRequest, UserInfo } from "../api/access.ts";
import { checkDnsLabel, checkDnsSubdomain } from "../validation/names.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import type { CelFunction } from "./operators.ts";
import { ObjectValue, OpaqueValue } from "./values.ts";

/**
 * Decides on a request of a user.
 *
 * @throws {Error} if the authorizer fails
 */
export type Decide = (request: AccessRequest) => AccessDecision;

/** The resource of a request, which `authorizer.requestResource` checks. */
export interface RequestedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

const types = "kubernetes.authorization";

abstract class AccessValue extends OpaqueValue {
  isSame(other: OpaqueValue): boolean {
    return other === this;
  }
}

/** The variable `authorizer`: the permissions of a user. */
export class AuthorizerValue extends ObjectValue {
  readonly user: UserInfo;
  readonly decide: Decide;

  /** @param requested undefined for a user that is not the sender of the request */
  constructor(user: UserInfo, decide: Decide, requested?: RequestedResource) {
    super(requested === undefined ? [] : ["requestResource"], (name) =>
      name === "requestResource" && requested !== undefined
        ? new ResourceCheck(this, requested)
        : undefined,
    );
    this.user = user;
    this.decide = decide;
  }
}

class PathCheck extends AccessValue {
  readonly type = `${types}.PathCheck`;
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

class GroupCheck extends AccessValue {
  readonly type = `${types}.GroupCheck`;
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

class ResourceCheck extends AccessValue {
  readonly type = `${types}.ResourceCheck`;
  readonly authorizer: AuthorizerValue;
  readonly resource: RequestedResource;

  constructor(authorizer: AuthorizerValue, resource: RequestedResource) {
    super();
    this.authorizer = authorizer;
    this.resource = resource;
  }

  with(changes: Partial<RequestedResource>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.resource, ...changes });
  }
}

class DecisionValue extends AccessValue {
  readonly type = `${types}.Decision`;
  readonly allowed: boolean;
  readonly reason: string;
  readonly error: string;

  constructor({ allowed, reason = "" }: AccessDecision, error = "") {
    super();
    this.allowed = allowed;
    this.reason = reason;
    this.error = error;
  }
}

/** An access request that is neither about a resource nor about a path yet. */
const blankRequest = {
  isResource: false,
  path: "",
  group: "",
  version: "",
  resource: "",
  subresource: "",
  namespace: "",
  name: "",
} as const;

function decision({ decide, user }: AuthorizerValue, request: Partial<AccessRequest>): unknown {
  try {
    return new DecisionValue(decide({ ...blankRequest, verb: "", user, ...request }));
  } catch (error) {
    // An authorizer that has not decided yet is asked again.
    if (error instanceof CelFailure) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return new DecisionValue({ allowed: false }, message);
  }
}

function notBlank(text: string, name: string): string {
  if (text.trim() === "") throw new CelFailure(`${name} must not be empty`);
  return text;
}

/** A member function with one string as its argument. */
function member<T>(
  ctor: abstract new (...args: never[]) => T,
  call: (receiver: T, text: string) => unknown,
): CelFunction {
  return (receiver, text) => {
    if (!(receiver instanceof ctor) || typeof text !== "string") throw noSuchOverload();
    return call(receiver, text);
  };
}

function reader(read: (decided: DecisionValue) => unknown): CelFunction {
  return (receiver) => {
    if (!(receiver instanceof DecisionValue)) throw noSuchOverload();
    return read(receiver);
  };
}

// k8s.io/apiserver pkg/authentication/serviceaccount: `MakeGroupNames`, without the group of all
// authenticated users.
function serviceAccount(namespace: string, name: string): UserInfo {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`],
  };
}

/** Functions of `authorizer`: k8s.io/apiserver pkg/cel/library/authz.go. */
export const accessFunctions: Readonly<Record<string, CelFunction>> = {
  ".path": member(
    AuthorizerValue,
    (authorizer, path) => new PathCheck(authorizer, notBlank(path, "path")),
  ),
  ".group": member(AuthorizerValue, (authorizer, group) => new GroupCheck(authorizer, group)),
  ".serviceAccount": (receiver, namespace, name) => {
    const isCalled = typeof namespace === "string" && typeof name === "string";
    if (!(receiver instanceof AuthorizerValue) || !isCalled) throw noSuchOverload();
    if (checkDnsSubdomain(name).length > 0) throw new CelFailure("Invalid service account name");
    if (checkDnsLabel(namespace).length > 0) {
      throw new CelFailure("Invalid service account namespace");
    }
    return new AuthorizerValue(serviceAccount(namespace, name), receiver.decide);
  },
  ".resource": member(
    GroupCheck,
    ({ authorizer, group }, name) =>
      new ResourceCheck(authorizer, {
        group,
        resource: notBlank(name, "resource"),
        subresource: "",
        namespace: "",
        name: "",
      }),
  ),
  ".subresource": member(ResourceCheck, (check, subresource) => check.with({ subresource })),
  ".namespace": member(ResourceCheck, (check, namespace) => check.with({ namespace })),
  ".name": member(ResourceCheck, (check, name) => check.with({ name })),
  // RBAC, the only authorizer here that is not a function, does not read selectors.
  ".fieldSelector": member(ResourceCheck, (check) => check),
  ".labelSelector": member(ResourceCheck, (check) => check),
  ".check": (receiver, verb) => {
    if (typeof verb !== "string") throw noSuchOverload();
    if (receiver instanceof PathCheck) {
      return decision(receiver.authorizer, { verb, path: receiver.path });
    }
    if (!(receiver instanceof ResourceCheck)) throw noSuchOverload();
    const { authorizer, resource } = receiver;
    return decision(authorizer, { ...resource, verb, isResource: true, version: "*" });
  },
  ".allowed": reader(({ allowed }) => allowed),
  ".reason": reader(({ reason }) => reason),
  ".errored": reader(({ error }) => error !== ""),
  ".error": reader(({ error }) => error),
};

/** The classes of these values, which the evaluator must know. */
export const accessClasses: readonly (new (...args: never[]) => object)[] = [
  AuthorizerValue,
  PathCheck,
  GroupCheck,
  ResourceCheck,
  DecisionValue,
];

const authorizer = `${types}.Authorizer`;
const resourceCheck = `${types}.ResourceCheck`;

/** Types of the functions of `authorizer`. */
export const accessTypes: readonly string[] = [
  `${types}.PathCheck`,
  `${types}.GroupCheck`,
  resourceCheck,
  `${types}.Decision`,
];

/** The type of the variable `authorizer`, with its fields. */
export const authorizerType: { readonly name: string; readonly fields: Record<string, string> } = {
  name: authorizer,
  fields: { requestResource: resourceCheck },
};

/** Signatures of the functions of `authorizer`. */
export const accessSignatures: readonly string[] = [
  `${authorizer}.path(string): ${types}.PathCheck`,
  `${authorizer}.group(string): ${types}.GroupCheck`,
  `${authorizer}.serviceAccount(string, string): ${authorizer}`,
  `${types}.GroupCheck.resource(string): ${resourceCheck}`,
  ...["subresource", "namespace", "name", "fieldSelector", "labelSelector"].map(
    (name) => `${resourceCheck}.${name}(string): ${resourceCheck}`,
  ),
  `${types}.PathCheck.check(string): ${types}.Decision`,
  `${resourceCheck}.check(string): ${types}.Decision`,
  `${types}.Decision.allowed(): bool`,
  `${types}.Decision.reason(): string`,
  `${types}.Decision.errored(): bool`,
  `${types}.Decision.error(): string`,
];
