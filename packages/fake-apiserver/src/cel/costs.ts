import { isFielded, ObjectValue } from "./values.ts";

/** Steps of a question to the authorizer: k8s.io/apiserver pkg/cel/library/cost.go. */
const authorizationCost = 350_000;
/** `StringTraversalCostFactor` and `RegexStringLengthCostFactor` of cel-go common/cost.go. */
const stepsPerCharacter = 0.1;
const stepsPerPatternCharacter = 0.25;

type Cost = (...args: readonly unknown[]) => number;

/** The number of characters, bytes, items or members of a value. */
function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ObjectValue) return value.names.length;
  return value instanceof Map ? value.size : 1;
}

/** Reading all of a value. */
function traverse(value: unknown): number {
  const isText = typeof value === "string" || value instanceof Uint8Array;
  return isText ? sizeOf(value) * stepsPerCharacter : sizeOf(value);
}

/** Comparing two values, which ends with the shorter one. */
function compare(left: unknown, right: unknown): number {
  return Math.min(traverse(left), traverse(right));
}

/** Comparing each item of a list with the others. */
function compareItems(list: unknown): number {
  return sizeOf(list) ** 2 / 2;
}

function compareAll(left: unknown, right: unknown): number {
  return sizeOf(left) * sizeOf(right);
}

function match(text: unknown, pattern: unknown): number {
  const length = Math.ceil((1 + sizeOf(text)) * stepsPerCharacter);
  return length * Math.ceil(sizeOf(pattern) * stepsPerPatternCharacter);
}

function replace(text: unknown, from: unknown, to: unknown): number {
  if (typeof text !== "string" || typeof from !== "string") return 1;
  const replaced = from === "" ? text.length + 1 : text.split(from).length - 1;
  return (2 * text.length + replaced * sizeOf(to)) * stepsPerCharacter;
}

function join(list: unknown, separator: unknown = ""): number {
  if (!Array.isArray(list)) return 1;
  const length = list.reduce((sum: number, item) => sum + sizeOf(item) + sizeOf(separator), 0);
  return 2 * length * stepsPerCharacter;
}

function flatten(list: unknown, depth: unknown = 1n): number {
  if (!Array.isArray(list)) return 1;
  if (depth === 0n || typeof depth !== "bigint") return list.length;
  return list.reduce((sum: number, item) => sum + flatten(item, depth - 1n), list.length);
}

const traversing = [
  ".isSorted",
  ".sum",
  ".min",
  ".max",
  ".indexOf",
  ".lastIndexOf",
  ".slice",
  ".reverse",
];

const costs: ReadonlyMap<string, Cost> = new Map(
  Object.entries<Cost>({
    ...Object.fromEntries(traversing.map((name) => [name, traverse])),
    in: (_item, all) => (isFielded(all) ? 1 : sizeOf(all)),
    add: (left, right) => (sizeOf(left) + sizeOf(right)) * stepsPerCharacter,
    equal: compare,
    notEqual: compare,
    less: compare,
    lessEqual: compare,
    greater: compare,
    greaterEqual: compare,
    matches: match,
    ".matches": match,
    ".find": match,
    ".findAll": match,
    ".replace": replace,
    ".join": join,
    ".flatten": flatten,
    ".distinct": compareItems,
    ".sort": compareItems,
    sortBy: compareItems,
    "sets.contains": compareAll,
    "sets.equivalent": (left, right) => 2 * compareAll(left, right),
    "sets.intersects": compareAll,
    "lists.range": (count) => (typeof count === "bigint" && count > 0n ? Number(count) : 1),
    ".check": () => authorizationCost,
  }),
);

/**
 * The steps of a call, from its arguments: roughly those of cel-go and of k8s.io/apiserver
 * pkg/cel/library/cost.go, and never fewer than the work that the function does here.
 */
export function stepsOf(name: string, args: readonly unknown[]): number {
  const cost = costs.get(name);
  const [first] = args;
  return 1 + (cost?.(...args) ?? (typeof first === "string" ? traverse(first) : 0));
}
