import type { AccessDecision, AccessRequest, Authorization, UserInfo } from "../api/access.ts";
import type { Storage } from "../storage/storage.ts";
import { basicRules, everything, type GrantedRule } from "./basic-rules.ts";
import { ruleAllows } from "./policy-rule.ts";
import { rulesOfUser } from "./role-rules.ts";

/** Permissions of a user in a namespace. */
export interface KnownRules {
  readonly granted: readonly GrantedRule[];
  /** Explains why the list may be incomplete; "" if it is complete. */
  readonly problem: string;
}

export interface Authorizer {
  authorize(request: AccessRequest): AccessDecision | Promise<AccessDecision>;
  /** Lists the permissions of a user, if they can be listed. */
  rulesOf(user: UserInfo, namespace: string): KnownRules;
}

/** Creates the authorizer for an option. Without the option everything is allowed. */
export function createAuthorizer(
  authorization: Authorization | undefined,
  storage: Pick<Storage, "store">,
): Authorizer {
  if (authorization === undefined) return allowAll;
  return authorization === "rbac" ? roleAuthorizer(storage) : functionAuthorizer(authorization);
}

const allRules: readonly GrantedRule[] = everything.map((rule) => ({ rule, reason: "" }));

const allowAll: Authorizer = {
  authorize: () => ({ allowed: true }),
  rulesOf: () => ({ granted: allRules, problem: "" }),
};

function roleAuthorizer(storage: Pick<Storage, "store">): Authorizer {
  return {
    authorize: (request) => {
      const { granted, problems } = rulesOfUser(storage, request.user, request.namespace);
      const found = granted.find(({ rule }) => ruleAllows(rule, request));
      if (found !== undefined) return { allowed: true, reason: found.reason };
      return { allowed: false, reason: problems.length === 0 ? "" : `RBAC: ${joined(problems)}` };
    },
    rulesOf: (user, namespace) => {
      const { granted, problems } = rulesOfUser(storage, user, namespace);
      return { granted, problem: joined(problems) };
    },
  };
}

function joined(problems: readonly string[]): string {
  return problems.length > 1 ? `[${problems.join(", ")}]` : problems.join("");
}

function functionAuthorizer(decide: Exclude<Authorization, "rbac">): Authorizer {
  return {
    authorize: async (request) => {
      // Clients need discovery, and a test should not have to list its paths.
      const basic = basicRules(request.user).find(({ rule }) => ruleAllows(rule, request));
      if (basic !== undefined) return { allowed: true, reason: basic.reason };
      const decision = await decide(request);
      return typeof decision === "boolean" ? { allowed: decision } : decision;
    },
    // Same answer as a webhook authorizer: plugin/pkg/authorizer/webhook.
    rulesOf: () => ({
      granted: [],
      problem: "webhook authorizer does not support user rule resolution",
    }),
  };
}
