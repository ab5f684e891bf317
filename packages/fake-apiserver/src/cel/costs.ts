import { isFielded, ObjectValue, OpaqueValue } from "./values.ts";

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

/** Reading all arguments that are text. */
function readTexts(args: readonly unknown[]): number {
  return args.reduce((sum: number, value) => {
    const isText = typeof value === "string" || value instanceof Uint8Array;
    const length = value instanceof OpaqueValue ? value.textLength : isText ? sizeOf(value) : 0;
    return sum + length * stepsPerCharacter;
  }, 0);
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

/** Searching a string with a pattern. */
export function matchSteps(text: unknown, pattern: unknown): number {
  const length = Math.ceil((1 + sizeOf(text)) * stepsPerCharacter);
  return length * Math.ceil(sizeOf(pattern) * stepsPerPatternCharacter);
}

/** Searching a string, which may compare the part at each place. */
function search(text: unknown, part: unknown): number {
  return Math.ceil(traverse(text)) * Math.ceil(traverse(part));
}

function find(all: unknown, item: unknown): number {
  return typeof all === "string" ? search(all, item) : traverse(all);
}

function replace(text: unknown, from: unknown): number {
  return traverse(text) + search(text, from);
}

function join(list: unknown, separator: unknown = ""): number {
  if (!Array.isArray(list)) return 1;
  const length = list.reduce((sum: number, item) => sum + sizeOf(item) + sizeOf(separator), 0);
  return list.length + 2 * length * stepsPerCharacter;
}

/** Functions that read all of their first argument. */
const traversing = [
  ".isSorted",
  ".sum",
  ".min",
  ".max",
  ".slice",
  ".reverse",
  "list",
  "transformMap",
];

/** Functions that return an argument or one of its members without reading it. */
const passing = ["dyn", "get", "has", "optional.of", "optionalGet", "step", "type"];

/** Members of times, which read the database of zones. */
const times = [
  ".getFullYear",
  ".getMonth",
  ".getDate",
  ".getDayOfMonth",
  ".getDayOfWeek",
  ".getDayOfYear",
  ".getHours",
  ".getMinutes",
  ".getSeconds",
  ".getMilliseconds",
];
const stepsOfZone = 30;

const costs: ReadonlyMap<string, Cost> = new Map(
  Object.entries<Cost>({
    ...Object.fromEntries(traversing.map((name) => [name, traverse])),
    ...Object.fromEntries(passing.map((name) => [name, () => 0])),
    ...Object.fromEntries(
      times.map((name) => [name, (_time, zone) => (zone === undefined ? 0 : stepsOfZone)]),
    ),
    in: (_item, all) => (isFielded(all) ? 1 : sizeOf(all)),
    add: (left, right) => (sizeOf(left) + sizeOf(right)) * stepsPerCharacter,
    equal: compare,
    notEqual: compare,
    less: compare,
    lessEqual: compare,
    greater: compare,
    greaterEqual: compare,
    matches: matchSteps,
    ".matches": matchSteps,
    ".find": matchSteps,
    ".findAll": matchSteps,
    ".contains": search,
    ".indexOf": find,
    ".lastIndexOf": find,
    ".replace": replace,
    ".split": search,
    ".join": join,
    ".distinct": compareItems,
    ".sort": compareItems,
    sortBy: compareItems,
    "sets.contains": compareAll,
    "sets.equivalent": (left, right) => 2 * compareAll(left, right),
    "sets.intersects": compareAll,
    "lists.range": (count) => (typeof count === "bigint" && count > 0n ? Number(count) : 1),
    map: (...entries) => entries.length,
    listWithOptionals: sizeOf,
    mapWithOptionals: sizeOf,
    message: (_literal, values) => sizeOf(values),
    ".check": () => authorizationCost,
  }),
);

/**
 * The steps of a call, from its arguments: roughly those of cel-go and of k8s.io/apiserver
 * pkg/cel/library/cost.go. A function counts the work that depends on more than these sizes
 * itself.
 */
export function stepsOf(name: string, args: readonly unknown[]): number {
  const cost = costs.get(name);
  return 1 + (cost?.(...args) ?? readTexts(args));
}
