import { type AccessRequest, FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";
import { applying, binding, bound, patching, policy } from "../support/policies.ts";
import { configuration, webhook } from "../support/webhook-handler.ts";

const group = "/apis/admissionregistration.k8s.io/v1";

async function causesOf(kind: "Mutating" | "Validating", spec: object): Promise<unknown> {
  const client = new ApiClient(new FakeApiServer());
  const path = `${group}/${kind.toLowerCase()}admissionpolicies`;
  const { body, status } = await client.call("POST", path, policy(kind, "p", spec));
  if (status === 201) return [];
  expect(status).toBe(422);
  return (body["details"].causes as readonly Json[]).map(({ field, message }) => [field, message]);
}

describe("a policy that is written (ADM-2)", () => {
  test("may contain only expressions that compile", async () => {
    const validations = [
      { expression: "1 + 1" },
      { expression: "params.x" },
      { expression: "true", messageExpression: "5", reason: "Odd" },
      { expression: "object.a" },
      { expression: "request.nope == ''" },
      { expression: "variables.count > 2 && variables.other", message: " " },
    ];
    const variables = [{ name: "count", expression: "size(object.data)" }];
    const auditAnnotations = [
      { key: "a", valueExpression: "5" },
      { key: "a", valueExpression: "object.x > 1 ? 'b' : 'c'" },
    ];
    expect(await causesOf("Validating", { validations, variables, auditAnnotations })).toEqual([
      [
        "spec.validations[0].expression",
        'Invalid value: "1 + 1": must evaluate to bool but got int',
      ],
      [
        "spec.validations[1].expression",
        "Invalid value: \"params.x\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params.x\n | ^",
      ],
      [
        "spec.validations[2].messageExpression",
        'Invalid value: "5": must evaluate to string but got int',
      ],
      [
        "spec.validations[2].reason",
        'Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
      [
        "spec.validations[3].expression",
        'Invalid value: "object.a": must evaluate to bool but got dyn',
      ],
      [
        "spec.validations[4].expression",
        "Invalid value: \"request.nope == ''\": compilation failed: ERROR: <input>:1:8: undefined field 'nope'\n | request.nope == ''\n | .......^",
      ],
      [
        "spec.validations[5].expression",
        "Invalid value: \"variables.count > 2 && variables.other\": compilation failed: ERROR: <input>:1:33: undefined field 'other'\n | variables.count > 2 && variables.other\n | ................................^",
      ],
      ["spec.validations[5].message", 'Invalid value: " ": must be non-empty if specified'],
      [
        "spec.auditAnnotations[0].valueExpression",
        'Invalid value: "5": must evaluate to one of [string null_type] but got int',
      ],
      ["spec.auditAnnotations[1].key", 'Duplicate value: "a"'],
    ]);
  });

  test("may contain only mutations of its patch type", async () => {
    const mutations = [
      applying("{'a': 1}"),
      patching("[]"),
      patching("[JSONPatch{op: 'add', path: '/a', value: object.b}]"),
      { patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } },
      { patchType: "Other" },
    ];
    expect(await causesOf("Mutating", { mutations, reinvocationPolicy: "No" })).toEqual([
      [
        "spec.mutations[0].applyConfiguration.expression",
        "Invalid value: \"{'a': 1}\": must evaluate to Object but got map(string, int)",
      ],
      [
        "spec.mutations[1].jsonPatch.expression",
        'Invalid value: "[]": must evaluate to list(JSONPatch) but got list(dyn)',
      ],
      [
        "spec.mutations[3].jsonPatch",
        "Required value: must be specified when patchType is JSONPatch",
      ],
      [
        "spec.mutations[3].applyConfiguration",
        'Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
      ],
      [
        "spec.mutations[4].patchType",
        'Unsupported value: "Other": supported values: "ApplyConfiguration", "JSONPatch"',
      ],
      ["spec.reinvocationPolicy", 'Unsupported value: "No": supported values: "IfNeeded", "Never"'],
    ]);
  });

  test.each([
    [
      "[JSONPatch{op: 1}]",
      14,
      "expected type of field 'op' is 'string' but provided type is 'int'",
    ],
    ["[JSONPatch{oops: 'add'}]", 16, "undefined field 'oops'"],
    ["[JSONPatch{?path: optional.of(1)}]", 17, "expected type of field 'path' is 'string' but"],
    ["[JSONPatch{?path: 'a'}]", 19, "expected type 'optional_type(string)' but found 'string'"],
    ["[JSONPatch{op: nope}]", 16, "undeclared reference to 'nope' (in container '')"],
  ])("may contain only patches of their type: %s", async (expression, column, problem) => {
    const causes = await causesOf("Mutating", { mutations: [patching(expression)] });
    expect(JSON.stringify(causes)).toContain(`ERROR: <input>:1:${column}: ${problem}`);
  });

  test("may have a variable with any name", async () => {
    const variables = [{ name: "__proto__", expression: "1" }];
    const validations = [{ expression: "variables.__proto__ == 1" }];
    expect(await causesOf("Validating", { variables, validations })).toEqual([]);
  });

  test("accepts patches with all fields", async () => {
    const patch = "[JSONPatch{op: 'add', ?path: optional.none(), from: object.x, value: 1}]";
    expect(await causesOf("Mutating", { mutations: [patching(patch)] })).toEqual([]);
  });

  test("may not select deletions for mutations", async () => {
    const rule = { apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
    const matchConstraints = { resourceRules: [{ ...rule, operations: ["CREATE", "DELETE"] }] };
    const mutations = [applying("Object{}")];
    expect(await causesOf("Mutating", { matchConstraints, mutations })).toEqual([
      [
        "spec.matchConstraints.resourceRules.operations",
        'Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
      ],
    ]);
  });

  test("may have match conditions without variables, as webhooks", async () => {
    const matchConditions = [
      { name: "a", expression: "variables.x" },
      { name: "a b", expression: " " },
      { name: "a", expression: "authorizer.path('/x').check('get').allowed()" },
    ];
    const causes = [
      [
        "matchConditions[0].expression",
        "Invalid value: \"variables.x\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'variables' (in container '')\n | variables.x\n | ^",
      ],
      ["matchConditions[1].expression", "Required value"],
      ["matchConditions[1].name", expect.stringContaining('Invalid value: "a b": name part must')],
      ["matchConditions[2].name", 'Duplicate value: "a"'],
    ] as const;
    const validations = [{ expression: "true" }];
    expect(await causesOf("Validating", { validations, matchConditions })).toEqual(
      causes.map(([field, message]) => [`spec.${field}`, message]),
    );
    const client = new ApiClient(new FakeApiServer());
    const given = configuration("Validating", "c", webhook("a", { matchConditions }));
    const { body } = await client.call("POST", `${group}/validatingwebhookconfigurations`, given);
    expect((body["details"].causes as readonly Json[]).map(({ field }) => field)).toEqual(
      causes.map(([field]) => `webhooks[0].${field}`),
    );
  });
});

const allowed =
  "authorizer.group('').resource('secrets').namespace('default').check('get').allowed()";

describe("the variable authorizer (ADM-6)", () => {
  const objects = bound("Validating", "p", {
    validations: [
      { expression: allowed, message: "needs secrets" },
      {
        expression: "authorizer.requestResource.check('approve').allowed()",
        message: "unapproved",
      },
    ],
  });

  test("asks the roles", async () => {
    const users = {
      jane: { username: "jane" },
      root: { username: "r", groups: ["system:masters"] },
    };
    const server = new FakeApiServer({
      users,
      authorization: "rbac",
      objects: [
        ...objects,
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRole",
          metadata: { name: "writer" },
          rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create", "approve"] }],
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "ClusterRoleBinding",
          metadata: { name: "writer" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "writer" },
          subjects: [{ kind: "User", name: "jane", apiGroup: "rbac.authorization.k8s.io" }],
        },
      ],
    });
    const messages = await writesOf(server, ["jane", "root"]);
    expect(messages).toEqual([
      `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'p-b' denied request: needs secrets`,
      undefined,
    ]);
  });

  test("waits for a function, and asks it once for each decision", async () => {
    const asked: string[] = [];
    const authorization = async ({ resource, user, verb }: AccessRequest): Promise<boolean> => {
      asked.push(`${verb} ${resource}`);
      return Promise.resolve(verb !== "approve" || user.username !== "jane");
    };
    const server = new FakeApiServer({
      users: { jane: { username: "jane" } },
      authorization,
      objects,
    });
    const messages = await writesOf(server, ["jane"]);
    expect(messages).toEqual([expect.stringContaining("denied request: unapproved")]);
    expect(asked).toEqual(["create configmaps", "get secrets", "approve configmaps"]);
  });

  test("reports errors of a function", async () => {
    const authorization = ({ resource }: AccessRequest): boolean => {
      if (resource === "secrets") throw new Error("no idea");
      return true;
    };
    const check = "authorizer.group('').resource('secrets').check('get')";
    const validations = [
      {
        expression: `!${check}.errored()`,
        messageExpression: "'refused'",
      },
      { expression: `${check}.error() == 'no idea'` },
    ];
    const server = new FakeApiServer({
      users: { jane: { username: "jane" } },
      authorization,
      objects: bound("Validating", "p", { validations }),
    });
    expect(await writesOf(server, ["jane"])).toEqual([
      expect.stringContaining("denied request: refused"),
    ]);
  });
});

async function writesOf(server: FakeApiServer, tokens: readonly string[]): Promise<unknown[]> {
  const client = new ApiClient(server);
  const messages: unknown[] = [];
  for (const token of tokens) {
    const body = { metadata: { name: "x" } };
    const headers = { authorization: `Bearer ${token}` };
    const answer = await client.call("POST", "/api/v1/namespaces/default/configmaps", body, {
      headers,
    });
    messages.push(answer.status === 201 ? undefined : answer.body["message"]);
  }
  return messages;
}

describe("a validating policy", () => {
  test("warns of each failed validation, and of those in another policy's refusal (ADM-4)", async () => {
    const validations = [
      { expression: "has(object.data.a)", message: "a" },
      { expression: "has(object.data.b)", message: "b" },
    ];
    const client = new ApiClient(
      new FakeApiServer({
        objects: [
          ...bound("Validating", "deny", { validations }),
          ...bound("Validating", "warn", { validations }, { validationActions: ["Warn", "Audit"] }),
        ],
      }),
    );
    const { body, headers } = await client.createConfigMap("x", { c: "d" });
    expect(body["message"]).toMatch(/'deny' with binding 'deny-b' denied request: a$/);
    const start = "Validation failed for ValidatingAdmissionPolicy 'warn' with binding 'warn-b': ";
    expect(headers.get("warning")).toBe(`299 - "${start}a", 299 - "${start}b"`);
  });

  test("refuses a write whose audit annotation fails, whatever its binding does", async () => {
    const auditAnnotations = [{ key: "k", valueExpression: "object.data.missing" }];
    const spec = {
      auditAnnotations: [{ key: "k", valueExpression: "string(object.data.missing)" }],
    };
    const warning = { validationActions: ["Warn"] };
    const client = new ApiClient(
      new FakeApiServer({ objects: bound("Validating", "p", spec, warning) }),
    );
    const { body, status } = await client.createConfigMap("x", { a: "b" });
    expect(status).toBe(422);
    expect(body["message"]).toContain(
      "denied request: expression 'string(object.data.missing)' resulted in error: no such key: missing",
    );
    expect(await causesOf("Validating", { auditAnnotations })).toEqual([
      [
        "spec.auditAnnotations[0].valueExpression",
        'Invalid value: "object.data.missing": must evaluate to one of [string null_type] but got dyn',
      ],
    ]);
  });

  test("reads a variable only when an expression needs it", async () => {
    const spec = {
      variables: [{ name: "broken", expression: "object.data.missing" }],
      validations: [
        { expression: "size(object.data) > 0 || variables.broken == ''" },
        { expression: "variables.broken == ''" },
      ],
    };
    const client = new ApiClient(new FakeApiServer({ objects: bound("Validating", "p", spec) }));
    const { body } = await client.createConfigMap("x", { a: "b" });
    expect(body["message"]).toContain(
      `denied request: expression 'variables.broken == ''' resulted in error: composited variable "broken" fails to evaluate: no such key: missing`,
    );
  });

  test("whose parameters are of an unknown kind refuses the write", async () => {
    const spec = {
      paramKind: { apiVersion: "example.com/v1", kind: "Nope" },
      validations: [{ expression: "true" }],
    };
    const client = new ApiClient(
      new FakeApiServer({
        objects: [policy("Validating", "p", spec), binding("Validating", "p")],
      }),
    );
    const { body } = await client.createConfigMap("x");
    expect(body["message"]).toBe(
      `configmaps "x" is forbidden: ValidatingAdmissionPolicy 'p' denied request: failed to configure policy: failed to find resource referenced by paramKind: 'example.com/v1, Kind=Nope'`,
    );
  });

  test("does not see what its excluded rules select, and does by an equivalent version", async () => {
    const rule = { operations: ["CREATE"], apiGroups: ["autoscaling"], apiVersions: ["v1"] };
    const matchConstraints = {
      resourceRules: [{ ...rule, resources: ["*"] }],
      excludeResourceRules: [
        { ...rule, resources: ["horizontalpodautoscalers"], resourceNames: ["free"] },
      ],
    };
    const validations = [{ expression: "request.resource.version != 'v1'", message: "seen" }];
    const client = new ApiClient(
      new FakeApiServer({ objects: bound("Validating", "p", { matchConstraints, validations }) }),
    );
    const create = (version: string, name: string): Promise<{ status: number }> =>
      client.call(
        "POST",
        `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`,
        {
          metadata: { name },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          },
        },
      );
    expect((await create("v2", "x")).status).toBe(422);
    expect((await create("v2", "free")).status).toBe(201);
  });
});
