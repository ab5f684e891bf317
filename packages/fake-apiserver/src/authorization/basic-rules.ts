import type { UserInfo } from "../api/access.ts";
import { authenticatedGroup, unauthenticatedGroup } from "../authentication/user-info.ts";
import { emptyRule, type PolicyRule } from "./policy-rule.ts";

/** Permissions of groups on every server, like a binding to a role of the same name. */
interface BasicBinding {
  readonly name: string;
  readonly groups: readonly string[];
  readonly rules: readonly PolicyRule[];
}

/** Rules that allow everything. */
export const everything: readonly PolicyRule[] = [
  { ...emptyRule, verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { ...emptyRule, verbs: ["*"], nonResourceURLs: ["*"] },
];

// plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go.
const bindings: readonly BasicBinding[] = [
  {
    name: "system:basic-user",
    groups: [authenticatedGroup],
    rules: [
      reviews("authorization.k8s.io", ["selfsubjectaccessreviews", "selfsubjectrulesreviews"]),
      reviews("authentication.k8s.io", ["selfsubjectreviews"]),
    ],
  },
  {
    name: "system:discovery",
    groups: [authenticatedGroup],
    rules: [
      paths(["/api", "/api/*", "/apis", "/apis/*", "/healthz", "/livez", "/openapi", "/openapi/*"]),
      paths(["/readyz", "/version", "/version/"]),
    ],
  },
  {
    name: "system:public-info-viewer",
    groups: [authenticatedGroup, unauthenticatedGroup],
    rules: [paths(["/healthz", "/livez", "/readyz", "/version", "/version/"])],
  },
];

/** A rule and its origin. */
export interface GrantedRule {
  readonly rule: PolicyRule;
  /** The server's explanation, or "". */
  readonly reason: string;
}

/** Returns the permissions that a user has on every server, independent of stored roles. */
export function basicRules(user: UserInfo): readonly GrantedRule[] {
  return bindings.flatMap(({ groups, name, rules }) => {
    const group = groups.find((one) => user.groups.includes(one));
    if (group === undefined) return [];
    const reason =
      `RBAC: allowed by ClusterRoleBinding "${name}" of ClusterRole "${name}" ` +
      `to Group "${group}"`;
    return rules.map((rule) => ({ rule, reason }));
  });
}

function reviews(group: string, resources: readonly string[]): PolicyRule {
  return { ...emptyRule, verbs: ["create"], apiGroups: [group], resources };
}

function paths(nonResourceURLs: readonly string[]): PolicyRule {
  return { ...emptyRule, verbs: ["get"], nonResourceURLs };
}
