import {
  type AdmissionCase,
  configuration,
  createConfigMap,
  policy,
  type Step,
} from "./admission-case.ts";
import { oddPatches } from "./handler.ts";

const apply = "application/apply-patch+yaml";
const everything = { k: "v" };

const pod: Step = {
  method: "POST",
  path: "pods",
  body: {
    metadata: { name: "p", labels: { app: "web" } },
    spec: { containers: [{ name: "a", image: "a:1", ports: [{ containerPort: 80 }] }] },
  },
};

const deployment = {
  metadata: { name: "web" },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: "web" } },
    template: {
      metadata: { labels: { app: "web" } },
      spec: { containers: [{ name: "a", image: "a:1" }] },
    },
  },
};

const rules = (apiGroup: string, version: string, ...resources: readonly string[]): object => ({
  rules: [{ operations: ["*"], apiGroups: [apiGroup], apiVersions: [version], resources }],
});

const again = { reinvocationPolicy: "IfNeeded" };
const conditions = (...expressions: readonly string[]): object => ({
  matchConditions: expressions.map((expression, index) => ({ name: `c${index}`, expression })),
});

function refused(path: string, kind: "Mutating" | "Validating" = "Validating"): AdmissionCase {
  return {
    name: `${path.replace("/", "-")}${kind === "Mutating" ? "-mutating" : ""}`,
    objects: (context) => [configuration(kind, "a", context, [path])],
    steps: [createConfigMap("x", everything)],
  };
}

const webhookCases: readonly AdmissionCase[] = [
  {
    name: "verbs",
    objects: (context) => [
      configuration("Mutating", "m", context, ["allow/m"]),
      configuration("Validating", "v", context, ["allow/v"]),
    ],
    steps: [
      createConfigMap("x", everything),
      createConfigMap("y", {}, "?dryRun=All&fieldManager=me&fieldValidation=Strict"),
      {
        method: "PUT",
        path: "configmaps/x",
        body: { metadata: { name: "x" }, data: { k: "other" } },
      },
      { method: "PATCH", path: "configmaps/x?fieldManager=me", body: { data: { more: "yes" } } },
      {
        method: "PATCH",
        path: "configmaps/z?fieldManager=me&force=true",
        contentType: apply,
        body: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "z" }, data: everything },
      },
      { method: "DELETE", path: "configmaps/x" },
      { method: "DELETE", path: "configmaps?dryRun=All&labelSelector=none" },
      {
        method: "POST",
        path: "configmaps",
        body: { metadata: { generateName: "generated-" }, data: everything },
      },
    ],
  },
  {
    name: "pods",
    objects: (context) => [
      configuration("Mutating", "m", context, [
        "label/seen",
        rules("", "v1", "pods", "pods/status"),
      ]),
      configuration("Validating", "v", context, [
        "allow/v",
        rules("", "v1", "pods", "pods/status", "pods/eviction"),
      ]),
    ],
    steps: [
      pod,
      {
        method: "PATCH",
        path: "pods/p/status",
        body: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
      },
      {
        method: "POST",
        path: "pods/p/eviction",
        body: { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } },
      },
    ],
  },
  {
    name: "scale",
    objects: (context) => [
      configuration("Validating", "v", context, [
        "allow/v",
        rules("apps", "v1", "deployments", "deployments/scale", "deployments/status"),
      ]),
    ],
    steps: [
      { method: "POST", path: "apps/v1@deployments", body: deployment },
      {
        method: "PATCH",
        path: "apps/v1@deployments/web/scale",
        body: { spec: { replicas: 3 } },
      },
      {
        method: "PATCH",
        path: "apps/v1@deployments/web/status",
        body: { status: { replicas: 3 } },
      },
    ],
  },
  {
    name: "order",
    objects: (context) => [
      configuration("Mutating", "b", context, ["append/c"], ["append/d", again]),
      configuration("Mutating", "a", context, ["append/a", again], ["append/b"]),
    ],
    steps: [createConfigMap("x", everything), createConfigMap("y")],
  },
  {
    name: "equivalent",
    objects: (context) => [
      configuration("Validating", "v", context, [
        "allow/v",
        rules("autoscaling", "v1", "horizontalpodautoscalers"),
      ]),
      configuration("Validating", "w", context, [
        "allow/w",
        { ...rules("autoscaling", "v1", "horizontalpodautoscalers"), matchPolicy: "Exact" },
      ]),
    ],
    steps: [
      {
        method: "POST",
        path: "autoscaling/v2@horizontalpodautoscalers",
        body: {
          metadata: { name: "x" },
          spec: {
            maxReplicas: 3,
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
          },
        },
      },
    ],
  },
  ...["deny/message", "deny/code", "deny/reason", "deny/nothing", "warn/twice"].map((path) =>
    refused(path),
  ),
  ...["fail/status", "fail/json", "fail/uid"].map((path) => refused(path)),
  ...["fail/patch", "fail/type", "fail/unknown", "deny/message"].map((path) =>
    refused(path, "Mutating"),
  ),
  ...Object.keys(oddPatches).map((name) => refused(`patch/${name}`, "Mutating")),
  {
    name: "required-field-removed",
    objects: (context) => [
      configuration("Mutating", "m", context, ["fail/containers", rules("", "v1", "pods")]),
    ],
    steps: [pod],
  },
  {
    name: "ignored",
    objects: (context) => [
      configuration("Mutating", "m", context, ["fail/status", { failurePolicy: "Ignore" }]),
      configuration("Validating", "v", context, ["fail/json", { failurePolicy: "Ignore" }]),
    ],
    steps: [createConfigMap("x", everything)],
  },
  {
    name: "conditions",
    objects: (context) => [
      configuration(
        "Validating",
        "v",
        context,
        ["allow/yes", conditions("object.metadata.name == 'x'")],
        ["allow/no", conditions("true", "request.operation != 'CREATE'")],
        ["allow/admin", conditions("authorizer.group('').resource('pods').check('get').allowed()")],
        ["allow/ignored", { ...conditions("object.spec.a == 1"), failurePolicy: "Ignore" }],
        ["allow/update", conditions("oldObject != null && object.nope.x == 1")],
      ),
    ],
    steps: [
      createConfigMap("x", everything),
      createConfigMap("y", everything),
      { method: "PATCH", path: "configmaps/y", body: { data: { a: "b" } } },
    ],
  },
  {
    name: "selectors",
    objects: (context) => [
      configuration("Validating", "v", context, [
        "allow/v",
        { objectSelector: { matchLabels: { seen: "yes" } } },
      ]),
    ],
    steps: [
      { method: "POST", path: "configmaps", body: { metadata: { name: "x" } } },
      { method: "PATCH", path: "configmaps/x", body: { metadata: { labels: { seen: "yes" } } } },
      { method: "PATCH", path: "configmaps/x", body: { metadata: { labels: { seen: null } } } },
      { method: "PATCH", path: "configmaps/x", body: { metadata: { labels: { other: "1" } } } },
    ],
  },
  ...(["never", "close"] as const).flatMap((path): readonly AdmissionCase[] => [
    {
      name: path,
      needsNetwork: true,
      objects: (context) => [
        configuration("Validating", "v", context, [path, { timeoutSeconds: 1 }]),
      ],
      steps: [createConfigMap("x")],
    },
    {
      name: `${path}-ignored`,
      needsNetwork: true,
      objects: (context) => [
        configuration("Mutating", "m", context, [
          path,
          { timeoutSeconds: 1, failurePolicy: "Ignore" },
        ]),
      ],
      steps: [createConfigMap("x")],
    },
  ]),
  {
    name: "unreachable",
    needsNetwork: true,
    objects: (context) => [
      configuration("Validating", "v", { ...context, origin: "https://127.0.0.1:1" }, ["x"]),
    ],
    steps: [createConfigMap("x")],
  },
];

const applying = (expression: string): object => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const patching = (expression: string): object => ({
  patchType: "JSONPatch",
  jsonPatch: { expression },
});
const appending = (letter: string): object =>
  applying(
    `Object{data: Object.data{log: (has(object.data) && 'log' in object.data ? object.data.log : '') + '${letter}'}}`,
  );

function mutation(
  name: string,
  mutations: readonly object[],
  steps: readonly Step[] = [createConfigMap("x", everything)],
  spec: object = {},
): AdmissionCase {
  return {
    name: `mutate-${name}`,
    objects: (context) => policy("Mutating", "p", context, { mutations, ...spec }),
    steps,
  };
}

function validation(
  name: string,
  spec: object,
  steps: readonly Step[] = [createConfigMap("x", everything)],
  binding: object = {},
): AdmissionCase {
  return {
    name: `validate-${name}`,
    objects: (context) => policy("Validating", "p", context, spec, binding),
    steps,
  };
}

const patchCases: readonly AdmissionCase[] = [
  mutation(
    "labels",
    [applying("Object{metadata: Object.metadata{labels: {'a': 'b'}}}")],
    [
      createConfigMap("x", everything),
      { method: "PATCH", path: "configmaps/x", body: { metadata: { labels: { a: "c", d: "e" } } } },
      createConfigMap("y", {}, "?dryRun=All"),
      { method: "DELETE", path: "configmaps/x" },
    ],
  ),
  mutation("json", [
    patching(
      "[JSONPatch{op: 'add', path: '/metadata/labels', value: {}}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a.b/c'), value: 'd'}]",
    ),
  ]),
  mutation("test-fails", [
    patching(
      "[JSONPatch{op: 'test', path: '/data/k', value: 'x'}, JSONPatch{op: 'remove', path: '/data/k'}]",
    ),
  ]),
  mutation("missing-path", [patching("[JSONPatch{op: 'remove', path: '/data/missing'}]")]),
  mutation("unknown-op", [patching("[JSONPatch{op: 'nope', path: '/data'}]")]),
  mutation("object-value", [
    patching(
      "[JSONPatch{op: 'replace', path: '/metadata', value: Object.metadata{name: object.metadata.name, namespace: object.metadata.namespace, labels: {'a': 'b'}}}]",
    ),
  ]),
  mutation("unknown-field", [applying("Object{nope: 1}")]),
  mutation("wrong-type", [applying("Object{data: Object.data{a: 1}}")]),
  mutation("misplaced", [applying("Object{metadata: Object.spec{}}")]),
  mutation("missing-key", [applying("Object{data: Object.data{a: object.data.missing}}")]),
  mutation("ignored", [applying("Object{nope: 1}"), appending("a")], undefined, {
    failurePolicy: "Ignore",
  }),
  mutation("two-errors", [applying("Object{nope: 1}"), applying("Object{other: 1}")]),
  mutation("twice", [appending("a"), appending("b")]),
  mutation("again", [appending("a")], undefined, again),
  mutation("nothing", [applying("Object{}")], undefined, again),
  mutation("condition", [appending("a")], [createConfigMap("x"), createConfigMap("y")], {
    ...conditions("request.name == 'x'"),
  }),
  mutation("condition-error", [appending("a")], undefined, conditions("object.nope == 1")),
  mutation("authorizer", [
    applying(
      "Object{data: Object.data{admin: string(authorizer.group('').resource('pods').namespace(request.namespace).check('create').allowed()), other: string(authorizer.serviceAccount(request.namespace, 'other').group('').resource('pods').check('get').allowed()), own: string(authorizer.requestResource.check('create').allowed())}}",
    ),
  ]),
  mutation(
    "variables",
    [
      applying(
        "Object{data: Object.data{size: string(variables.size), twice: string(variables.twice)}}",
      ),
    ],
    undefined,
    {
      variables: [
        { name: "size", expression: "size(object.data)" },
        { name: "twice", expression: "variables.size * 2" },
      ],
    },
  ),
  mutation(
    "pod",
    [
      applying(
        "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, imagePullPolicy: 'Always', env: [Object.spec.containers.env{name: 'A', value: 'b'}]}), initContainers: [Object.spec.initContainers{name: 'init', image: 'i:1'}]}}",
      ),
    ],
    [pod],
    {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
        ],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "case-mutate-pod" } },
      },
    },
  ),
  mutation(
    "atomic",
    [
      applying(
        "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'a', args: ['x']}]}}",
      ),
    ],
    [pod],
    {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
        ],
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "case-mutate-atomic" } },
      },
    },
  ),
  {
    name: "mutate-params",
    objects: (context) => [
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "param" }, data: { letter: "p" } },
      ...policy(
        "Mutating",
        "p",
        context,
        {
          paramKind: { apiVersion: "v1", kind: "ConfigMap" },
          mutations: [
            applying(
              "Object{data: Object.data{log: (has(object.data.log) ? object.data.log : '') + params.data.letter, kind: params.kind}}",
            ),
          ],
          ...conditions("request.name != 'param'"),
        },
        { paramRef: { name: "param", parameterNotFoundAction: "Deny" } },
      ),
    ],
    steps: [createConfigMap("x", everything)],
  },
  {
    name: "mutate-order",
    objects: (context) => [
      configuration("Mutating", "m", context, ["append/w", again]),
      ...policy("Mutating", "p", context, { mutations: [appending("p")], ...again }),
      configuration("Validating", "v", context, ["allow/v"]),
      ...policy("Validating", "v", context, {
        validations: [{ expression: "object.data.log.size() < 4" }],
      }),
    ],
    steps: [createConfigMap("x", everything)],
  },
];

const judgeCases: readonly AdmissionCase[] = [
  validation("message", {
    validations: [
      { expression: "object.metadata.name != 'x'", message: " not x " },
      { expression: "has(object.data.b)", messageExpression: "'no b in ' + object.metadata.name" },
    ],
  }),
  validation("reason", {
    validations: [{ expression: "!has(object.data.k)", reason: "Forbidden" }],
  }),
  validation("large", {
    validations: [{ expression: "!has(object.data.k)", reason: "RequestEntityTooLarge" }],
  }),
  validation("error", { validations: [{ expression: "object.data.missing == 'x'" }] }),
  validation("error-ignored", {
    failurePolicy: "Ignore",
    validations: [{ expression: "object.data.missing == 'x'" }],
  }),
  validation("null", {
    validations: [
      { expression: "namespaceObject != null && request.userInfo != null" },
      { expression: "object.metadata == null || oldObject != null", message: "not on creates" },
    ],
  }),
  validation("variable-error", {
    variables: [{ name: "broken", expression: "object.data.missing" }],
    validations: [{ expression: "variables.broken == 'x'" }],
  }),
  validation("condition-error", {
    ...conditions("object.nope.a == 1", "object.nope.b == 2"),
    validations: [{ expression: "true" }],
  }),
  validation(
    "warn",
    {
      validations: [
        { expression: "has(object.data.a)", message: "a" },
        { expression: "has(object.data.b)", message: "b" },
      ],
    },
    undefined,
    { validationActions: ["Warn", "Audit"] },
  ),
  validation(
    "annotation-error",
    { auditAnnotations: [{ key: "k", valueExpression: "string(object.data.missing)" }] },
    undefined,
    { validationActions: ["Warn"] },
  ),
  validation(
    "delete",
    {
      matchConstraints: {
        resourceRules: [
          {
            apiGroups: [""],
            apiVersions: ["v1"],
            operations: ["DELETE"],
            resources: ["configmaps"],
          },
        ],
        namespaceSelector: {
          matchLabels: { "kubernetes.io/metadata.name": "case-validate-delete" },
        },
      },
      validations: [
        { expression: "object == null && oldObject.data.k == 'other'", message: "stays" },
      ],
    },
    [
      createConfigMap("x", everything),
      { method: "DELETE", path: "configmaps/x" },
      { method: "DELETE", path: "configmaps" },
    ],
  ),
  validation("namespace", {
    validations: [
      {
        expression: "false",
        messageExpression:
          "namespaceObject.metadata.name + ' ' + request.userInfo.username + ' ' + request.operation + ' ' + request.resource.resource + ' ' + string(request.dryRun)",
      },
    ],
  }),
  validation("authorizer", {
    validations: [
      {
        expression:
          "authorizer.path('/x').check('get').allowed() && !authorizer.serviceAccount('default', 'other').path('/x').check('get').allowed()",
      },
      { expression: "authorizer.serviceAccount('a b', 'c').path('/x').check('get').allowed()" },
    ],
  }),
  validation(
    "no-params",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "params != null", message: "no params" }],
    },
    [createConfigMap("x")],
    { paramRef: { name: "missing", parameterNotFoundAction: "Deny" } },
  ),
  validation(
    "allowed-params",
    {
      paramKind: { apiVersion: "v1", kind: "ConfigMap" },
      validations: [{ expression: "params != null", message: "no params" }],
    },
    [createConfigMap("x")],
    { paramRef: { name: "missing", parameterNotFoundAction: "Allow" } },
  ),
  validation("unknown-params", {
    paramKind: { apiVersion: "example.com/v1", kind: "Nope" },
    validations: [{ expression: "true" }],
  }),
  validation("runaway", {
    validations: [
      {
        expression:
          "lists.range(2000).all(a, lists.range(2000).all(b, a + b >= 0 && string(a) != string(b) + 'x'))",
      },
    ],
  }),
];

/** Expressions that a policy is refused for, or not. */
const writtenSpecs: readonly (readonly [kind: "Mutating" | "Validating", spec: object])[] = [
  [
    "Validating",
    {
      validations: [
        { expression: "1 + 1" },
        { expression: "params.x" },
        { expression: "object.a" },
        { expression: "true", messageExpression: "5", reason: "Odd" },
        { expression: "request.nope == ''" },
        { expression: "namespaceObject.metadata.nope == ''" },
        { expression: "variables.count > 2 && variables.other", message: " " },
        { expression: "object.a.b.startsWith('x') || object.c in ['d']" },
        { expression: "object.a ? true : object.b" },
        { expression: "has(object.a)" },
        { expression: "object.list.all(x, x > 1)" },
        { expression: "unknown(object)" },
        { expression: "object.a.matches('[')" },
        { expression: "authorizer.nope()" },
        { expression: " " },
        { expression: "object.a > " },
      ],
      variables: [
        { name: "count", expression: "size(object.data)" },
        { name: "in", expression: "1" },
        { name: "bad", expression: "1 + 'a'" },
      ],
      auditAnnotations: [
        { key: "a", valueExpression: "5" },
        { key: "a", valueExpression: "object.a" },
        { key: "b c", valueExpression: "object.x > 1 ? 'b' : null" },
      ],
    },
  ],
  [
    "Validating",
    {
      validations: [{ expression: "true" }],
      matchConditions: [
        { name: "a", expression: "variables.x" },
        { name: "a b", expression: " " },
        { name: "a", expression: "authorizer.path('/x').check('get').allowed()" },
        { name: "b", expression: "1" },
      ],
      paramKind: { apiVersion: "a/b/c", kind: "X_Y" },
    },
  ],
  [
    "Mutating",
    {
      mutations: [
        applying("{'a': 1}"),
        applying("object"),
        applying("object.a ? Object{} : Object{metadata: Object.metadata{}}"),
        patching("[]"),
        patching("object.a ? [JSONPatch{op: 'add', path: '/a'}] : []"),
        patching("[JSONPatch{op: 'add', path: '/a', value: object.b}]"),
        patching("[JSONPatch{op: 'add', path: '/a', value: {'a': 1, 'b': object.c}}]"),
        patching("object.list.map(x, JSONPatch{op: 'add', path: x})"),
        patching("Object{}"),
        { patchType: "JSONPatch", applyConfiguration: { expression: "Object{}" } },
        { patchType: "Other" },
      ],
      reinvocationPolicy: "No",
    },
  ],
];

const writtenCase: AdmissionCase = {
  name: "written",
  objects: () => [],
  steps: writtenSpecs.map(([kind, spec], index) => ({
    method: "POST",
    path: `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}admissionpolicies`,
    body: {
      metadata: { name: `written-${index}` },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ["example.com"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["nothings"],
            },
          ],
        },
        ...(kind === "Mutating" ? { reinvocationPolicy: "Never" } : {}),
        ...spec,
      },
    },
  })),
};

/** Writes that webhooks and policies review. */
export const admissionCases: readonly AdmissionCase[] = [
  ...webhookCases,
  ...patchCases,
  ...judgeCases,
  writtenCase,
];
