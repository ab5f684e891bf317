import { describe, expect, test } from "vitest";
import { webhookRules } from "../../src/rules/webhooks.ts";
import { describeErrors } from "../support/describe-errors.ts";

const plain = {
  name: "a.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  timeoutSeconds: 10,
  clientConfig: { url: "https://example.com" },
};
const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"], operations: ["CREATE"] };
const check = (...webhooks: readonly object[]) =>
  describeErrors(webhookRules.create({ metadata: { name: "a" }, webhooks }));

describe("webhooks (VAL-16)", () => {
  test.each([
    [{ rules: [rule] }, []],
    [{ name: "" }, ["name: Required value"]],
    [
      { name: "a.b" },
      [
        'name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
      ],
    ],
    [
      { sideEffects: undefined },
      ["sideEffects: Required value: must specify one of None, NoneOnDryRun"],
    ],
    [
      { sideEffects: "Some" },
      ['sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"'],
    ],
    [
      { admissionReviewVersions: [] },
      ["admissionReviewVersions: Required value: must specify one of v1, v1beta1"],
    ],
    [
      { admissionReviewVersions: ["v1", "v1", "V2"] },
      [
        "admissionReviewVersions[2]: Invalid value: \"V2\": a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
        'admissionReviewVersions[1]: Invalid value: "v1": duplicate version',
      ],
    ],
    [
      { failurePolicy: "", matchPolicy: "", rules: [{ ...rule, scope: "" }] },
      [
        'failurePolicy: Unsupported value: "": supported values: "Fail", "Ignore"',
        'matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"',
        'rules[0].scope: Unsupported value: "": supported values: "*", "Cluster", "Namespaced"',
      ],
    ],
    [
      { timeoutSeconds: 31 },
      ["timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds"],
    ],
    [
      { clientConfig: {} },
      ["clientConfig: Required value: exactly one of url or service is required"],
    ],
    [
      { clientConfig: { service: { name: "s", port: 443 } } },
      ["clientConfig.service.name: Required value"],
    ],
    [
      { rules: [{ ...rule, operations: ["*", "CREATE"] }] },
      [
        `rules[0].operations: Invalid value: ["*","CREATE"]: if '*' is present, must not specify other operations`,
      ],
    ],
    [
      { rules: [{ ...rule, resources: [], operations: ["X"] }] },
      [
        'rules[0].operations[0]: Unsupported value: "X": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
        "rules[0].resources: Required value",
      ],
    ],
  ])("with %j: %j", (changes, expected) => {
    expect(check({ ...plain, ...changes })).toEqual(
      expected.map((error) => `webhooks[0].${error}`),
    );
  });

  test("require unique names", () => {
    expect(check(plain, plain)).toEqual(['webhooks[1].name: Duplicate value: "a.example.com"']);
  });
});
