import { Checker } from "./checker.ts";
import { compile, type Compiled } from "./compile.ts";
import type { ExpressionChecker, ExpressionScope, ResultTypes } from "./rules.ts";

const text = "string";
const texts = "list<string>";
const time = "google.protobuf.Timestamp";

/** Types of variables: k8s.io/apiserver pkg/admission/plugin/cel/compile.go. */
const declaredTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "kubernetes.GroupVersionKind": { group: text, version: text, kind: text },
  "kubernetes.GroupVersionResource": { group: text, version: text, resource: text },
  "kubernetes.UserInfo": {
    username: text,
    uid: text,
    groups: texts,
    extra: `map<string, ${texts}>`,
  },
  "kubernetes.AdmissionRequest": {
    kind: "kubernetes.GroupVersionKind",
    resource: "kubernetes.GroupVersionResource",
    subResource: text,
    requestKind: "kubernetes.GroupVersionKind",
    requestResource: "kubernetes.GroupVersionResource",
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: "kubernetes.UserInfo",
    dryRun: "bool",
    options: "dyn",
  },
  "kubernetes.NamespaceSpec": { finalizers: texts },
  "kubernetes.NamespaceCondition": {
    status: text,
    type: text,
    lastTransitionTime: time,
    message: text,
    reason: text,
  },
  "kubernetes.NamespaceStatus": {
    conditions: "list<kubernetes.NamespaceCondition>",
    phase: text,
  },
  "kubernetes.NamespaceMetadata": {
    name: text,
    generateName: text,
    namespace: text,
    labels: "map<string, string>",
    annotations: "map<string, string>",
    UID: text,
    creationTimestamp: time,
    deletionGracePeriodSeconds: "int",
    deletionTimestamp: time,
    generation: "int",
    resourceVersion: text,
    finalizers: texts,
  },
  "kubernetes.Namespace": {
    metadata: "kubernetes.NamespaceMetadata",
    spec: "kubernetes.NamespaceSpec",
    status: "kubernetes.NamespaceStatus",
  },
};

const variablesType = "kubernetes.variables";

function createBase(): Checker {
  const checker = new Checker();
  for (const [name, fields] of Object.entries(declaredTypes)) checker.registerType(name, fields);
  return checker;
}

let base: Checker | undefined;

function checkerFor({
  hasAuthorizer,
  hasParams,
  hasPatchTypes,
  variables,
}: ExpressionScope): Checker {
  base ??= createBase();
  const checker = base.withVariables({});
  if (variables !== undefined) checker.registerType(variablesType, variables);
  const typed = hasPatchTypes === true ? checker.withPatchTypes() : checker;
  return typed.withVariables({
    object: "dyn",
    oldObject: "dyn",
    request: "kubernetes.AdmissionRequest",
    namespaceObject: "kubernetes.Namespace",
    ...(hasParams ? { params: "dyn" } : {}),
    ...(hasAuthorizer ? { authorizer: "kubernetes.authorization.Authorizer" } : {}),
    ...(variables === undefined ? {} : { variables: variablesType }),
  });
}

/** Checkers by their scopes, oldest first: those of variables are as many as policies. */
const checkers = new Map<string, Checker>();
/** Expressions of configurations that have been replaced must not add up. */
const mostKnown = 1000;

function remember<T>(known: Map<string, T>, key: string, create: () => T): T {
  const found = known.get(key);
  if (found !== undefined) return found;
  const created = create();
  known.set(key, created);
  const [oldest] = known.keys();
  if (known.size > mostKnown && oldest !== undefined) known.delete(oldest);
  return created;
}

const compiledExpressions = new Map<string, Compiled>();

/** Compiles an expression of a policy; the same one in the same scope is compiled once. */
export function compileInScope(expression: string, scope: ExpressionScope): Compiled {
  const key = JSON.stringify(scope);
  return remember(compiledExpressions, `${key}\n${expression}`, () => {
    const checker = remember(checkers, key, () => checkerFor(scope));
    return compile(expression, checker, { hasPatchTypes: scope.hasPatchTypes });
  });
}

/** Words the reason why an expression is not accepted, as a real server; undefined for none. */
export function scopedProblem(compiled: Compiled, results: ResultTypes): string | undefined {
  if (compiled.program === undefined) {
    return compiled.isUnsupported ? undefined : `compilation failed: ${compiled.problem}`;
  }
  const { isDynamic, type } = compiled;
  if (results === undefined || results.includes(type)) return undefined;
  // The checker of a real server may know more.
  if (!isDynamic && (type === "dyn" || results.some((one) => isLooser(type, one)))) {
    return undefined;
  }
  const shown = results.map(goTypeName);
  const wanted = shown.length === 1 ? shown.join("") : `one of [${shown.join(" ")}]`;
  return `must evaluate to ${wanted} but got ${goTypeName(type)}`;
}

/** Whether a type may be the wanted one: a list of values whose type is not known. */
function isLooser(type: string, wanted: string): boolean {
  return type === "list" && wanted.startsWith("list<");
}

/** Names a type like cel-go. */
function goTypeName(type: string): string {
  const full = type === "list" ? "list(dyn)" : type.replaceAll(/\bT\b/g, "dyn");
  return (full === "map" ? "map(dyn, dyn)" : full)
    .replaceAll("optional<", "optional_type(")
    .replaceAll("<", "(")
    .replaceAll(">", ")")
    .replaceAll(/^null$/g, "null_type")
    .replaceAll("google.protobuf.Timestamp", "timestamp")
    .replaceAll("google.protobuf.Duration", "duration");
}

/** The type of a variable of a policy: objects are not checked further. */
export function variableType(compiled: Compiled): string {
  if (compiled.program === undefined) return "dyn";
  const { type } = compiled;
  if (type === "list") return "list<dyn>";
  if (type === "map") return "map<dyn, dyn>";
  const isPlain = /^(?:bool|bytes|double|int|string|uint|list<.*>|map<.*>)$/.test(type);
  const hasObject = /Object|JSONPatch|kubernetes\.|net\./.test(type);
  return (isPlain && !hasObject) || type === time || type === "google.protobuf.Duration"
    ? type
    : "dyn";
}

/** Checks the expressions of policies that are written. */
export const expressionChecker: ExpressionChecker = {
  problemOf: (expression, scope, results) =>
    scopedProblem(compileInScope(expression, scope), results),
  typeOf: (expression, scope) => variableType(compileInScope(expression, scope)),
};
