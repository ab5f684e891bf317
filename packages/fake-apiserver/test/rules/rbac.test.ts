import { describe, expect, test } from "vitest";
import {
  clusterRoleBindingRules,
  clusterRoleRules,
  roleBindingRules,
  roleRules,
} from "../../src/rules/rbac.ts";
import { describeErrors } from "../support/describe-errors.ts";

const metadata = { name: "a", namespace: "default" };
const apiGroup = "rbac.authorization.k8s.io";
const verbs = ["get"];

describe("rules of roles (VAL-15)", () => {
  test.each([
    [{ apiGroups: [""], resources: ["pods"], verbs }, []],
    [
      { verbs },
      [
        "rules[0].apiGroups: Required value: resource rules must supply at least one api group",
        "rules[0].resources: Required value: resource rules must supply at least one resource",
      ],
    ],
    [
      { apiGroups: [""], resources: ["pods"] },
      ["rules[0].verbs: Required value: verbs must contain at least one value"],
    ],
    [
      { nonResourceURLs: ["/x"], verbs },
      [
        'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
      ],
    ],
  ])("%j: %j", (rule, expected) => {
    expect(describeErrors(roleRules.create({ metadata, rules: [rule] }))).toEqual(expected);
  });

  test("of cluster roles name paths or resources, not both", () => {
    const check = (fields: object) =>
      describeErrors(clusterRoleRules.create({ metadata, ...fields }));
    expect(check({ rules: [{ nonResourceURLs: ["/x"], verbs }] })).toEqual([]);
    expect(check({ rules: [{ nonResourceURLs: ["/x"], resources: ["pods"], verbs }] })).toEqual([
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: rules cannot apply to both regular resources and non-resource URLs',
    ]);
    const bad = { matchExpressions: [{ key: "a", operator: "Is" }] };
    expect(check({ aggregationRule: { clusterRoleSelectors: [bad] } })).toEqual([
      'aggregationRule.clusterRoleSelectors[0].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      "aggregationRule.clusterRoleSelectors[0]: Invalid value: null: invalid label selector.",
    ]);
    expect(check({ aggregationRule: {} })).toEqual([
      "aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil",
    ]);
  });
});

describe("bindings of roles (VAL-15)", () => {
  test.each([
    [roleBindingRules, { kind: "Role", name: "r" }, []],
    [
      roleBindingRules,
      {},
      [
        'roleRef.kind: Unsupported value: "": supported values: "Role", "ClusterRole"',
        "roleRef.name: Required value",
      ],
    ],
    [
      clusterRoleBindingRules,
      { kind: "Role", name: "r" },
      ['roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"'],
    ],
  ])("%o of %j: %j", (rules, ref, expected) => {
    const roleRef = { apiGroup, ...ref };
    expect(describeErrors(rules.create({ metadata, roleRef }))).toEqual(expected);
  });

  test.each([
    [{ kind: "User", apiGroup, name: "u" }, []],
    [{ kind: "ServiceAccount", name: "s" }, ["subjects[0].namespace: Required value"]],
    [
      { kind: "X", name: "x" },
      [
        'subjects[0].kind: Unsupported value: "X": supported values: "ServiceAccount", "User", "Group"',
      ],
    ],
    [{ kind: "Group", apiGroup }, ["subjects[0].name: Required value"]],
  ])("for %j: %j", (subject, expected) => {
    const roleRef = { apiGroup, kind: "ClusterRole", name: "r" };
    const binding = { metadata, roleRef, subjects: [subject] };
    expect(describeErrors(clusterRoleBindingRules.create(binding))).toEqual(expected);
  });

  test("have an immutable role", () => {
    const bound = (name: string) => ({ metadata, roleRef: { apiGroup, kind: "Role", name } });
    expect(describeErrors(roleBindingRules.update(bound("b"), bound("a")))).toEqual([
      'roleRef: Invalid value: {"APIGroup":"rbac.authorization.k8s.io","Kind":"Role","Name":"b"}: field is immutable',
    ]);
    expect(roleBindingRules.update(bound("a"), bound("a"))).toEqual([]);
  });
});
