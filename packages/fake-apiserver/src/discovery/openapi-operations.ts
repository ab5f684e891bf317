import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import type { ResourceDefinition } from "../api/resource-definition.ts";

/** An operation before its parameters are moved to its path. */
export interface Operation {
  readonly method: string;
  readonly action: string;
  readonly description: string;
  readonly operationId: string;
  readonly parameters: readonly JsonObject[];
  readonly kind: JsonObject;
  readonly body?: RequestBody | undefined;
  readonly answers: readonly Answer[];
}

interface RequestBody {
  readonly types: readonly string[];
  readonly schema: string;
  readonly required: boolean;
}

interface Answer {
  readonly code: string;
  readonly types: readonly string[];
  /** The schema's name; "" for a string. */
  readonly schema: string;
}

/** Media types of built-in objects. */
export const builtinTypes: readonly string[] = [
  "application/json",
  "application/vnd.kubernetes.protobuf",
  "application/yaml",
];

const prefix = "#/components/schemas/";
const words: Readonly<Record<string, string>> = {
  "200": "OK",
  "201": "Created",
  "202": "Accepted",
};
const methodOrder = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Creates the item of a path. Parameters that all operations have are those of the path. */
export function pathItem(tag: string, operations: readonly Operation[]): JsonObject {
  const [first] = operations;
  const shared = (first?.parameters ?? []).filter((one) =>
    operations.every(({ parameters }) => parameters.some((other) => isJsonEqual(other, one))),
  );
  const sorted = operations.toSorted(
    (left, right) => methodOrder.indexOf(left.method) - methodOrder.indexOf(right.method),
  );
  return {
    ...Object.fromEntries(
      sorted.map((operation) => [operation.method, operationItem(tag, operation, shared)]),
    ),
    ...(shared.length > 0 && { parameters: byName(shared) }),
  };
}

function operationItem(
  tag: string,
  operation: Operation,
  shared: readonly JsonObject[],
): JsonObject {
  const { action, answers, body, description, kind, operationId, parameters } = operation;
  const own = parameters.filter((one) => !shared.some((other) => isJsonEqual(other, one)));
  return {
    tags: [tag],
    description,
    operationId,
    ...(own.length > 0 && { parameters: byName(own) }),
    ...(body !== undefined && { requestBody: requestBody(body) }),
    responses: responses(answers),
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kind,
  };
}

function requestBody({ required, schema, types }: RequestBody): JsonObject {
  return { content: contents(types, schema), ...(required && { required }) };
}

/** Describes the answers of an operation, and the one without credentials. */
function responses(answers: readonly Answer[]): JsonObject {
  const written = answers.map(({ code, schema, types }) => [
    code,
    { description: words[code], content: contents(types, schema) },
  ]);
  return { ...Object.fromEntries(written), "401": { description: "Unauthorized" } };
}

/** Creates the item of a discovery document's path, with its only operation. */
export function discoveryItem(
  tag: string,
  description: string,
  operationId: string,
  kind: string,
): JsonObject {
  const schema = `io.k8s.apimachinery.pkg.apis.meta.v1.${kind}`;
  const answers = [{ code: "200", types: builtinTypes, schema }];
  return { get: { tags: [tag], description, operationId, responses: responses(answers) } };
}

function contents(types: readonly string[], schema: string): JsonObject {
  const value = schema === "" ? { type: "string" } : { $ref: `${prefix}${schema}` };
  return Object.fromEntries(types.map((type) => [type, { schema: value }]));
}

function byName(parameters: readonly JsonObject[]): readonly JsonObject[] {
  const nameOf = ({ name }: JsonObject): string => String(name);
  return parameters.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
}

/** `rbac.authorization.k8s.io` becomes `RbacAuthorization`, as in names of operations. */
export function groupTitle(group: string): string {
  if (group === "") return "Core";
  return group
    .replace(/\.k8s\.io$/, "")
    .split(".")
    .map(titled)
    .join("");
}

/** `rbac.authorization.k8s.io` becomes `rbacAuthorization`, as in tags. */
export function tagOf(group: string, version: string): string {
  const title = groupTitle(group);
  return `${title.slice(0, 1).toLowerCase()}${title.slice(1)}_${version}`;
}

/** Returns a word with a capital. */
export function titled(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** `a Pod`, `an Event`, and `Endpoints`: k8s.io/apiserver pkg/endpoints, `GetArticleForNoun`. */
export function withArticle(kind: string): string {
  const lower = kind.toLowerCase();
  if (lower.endsWith("s") && !lower.endsWith("ss")) return kind;
  return `${/^[aeiou]/.test(lower) ? "an" : "a"} ${kind}`;
}

/** Whether a kind serves a verb, which is named as in discovery. */
export function serves({ verbs }: ResourceDefinition, verb: string): boolean {
  return verbs === undefined || verbs.includes(verb);
}
