import { isRecord } from "@listwatch/core-fifo/base";

/** Finds the values a path leads to in an object. */
export type JsonPath = (object: unknown) => readonly unknown[];

/** One step: from the values found so far to the next ones. */
type Step = (values: readonly unknown[]) => readonly unknown[];

/**
 * Values that a step passes on. A cell shows few; `..a..a..a` over nested objects finds the same
 * ones again and again, and more of them with each step.
 */
const maxValues = 1000;

const namePattern = /^\.((?:\\.|[^.[\]\s\\])+)/;
const quotedPattern = /^\[\s*(?:'([^']*)'|"([^"]*)")\s*\]/;
const indexPattern = /^\[\s*(-?\d+)\s*\]/;
const slicePattern = /^\[\s*(-?\d*)\s*:\s*(-?\d*)\s*\]/;
const everyPattern = /^(?:\[\s*\*\s*\]|\.\*)/;
const descendPattern = /^\.\.((?:\\.|[^.[\]\s\\])+)/;
const filterPattern =
  /^\[\?\(\s*@((?:\.(?:\\.|[^.[\]\s\\=!<>()])+)+)\s*(?:(==|!=|<=|>=|<|>)\s*('[^']*'|"[^"]*"|[^)\s]+)\s*)?\)\]/;

/**
 * Compiles a JSON path as Kubernetes understands it in printer columns: names, `['quoted']` names,
 * indices, slices, `[*]`, `..name` and filters like `[?(@.type=="Ready")]`.
 *
 * @returns undefined if it is not such a path
 */
export function compileJsonPath(path: string): JsonPath | undefined {
  const steps: Step[] = [];
  let rest = path === "." ? "" : path;
  while (rest !== "") {
    const found = readStep(rest);
    if (found === undefined) return undefined;
    steps.push(found.step);
    rest = rest.slice(found.length);
  }
  return (object) => {
    let values: readonly unknown[] = [object];
    for (const step of steps) values = step(values).slice(0, maxValues);
    return values;
  };
}

interface FoundStep {
  readonly step: Step;
  readonly length: number;
}

function readStep(path: string): FoundStep | undefined {
  for (const [pattern, build] of stepPatterns) {
    const match = pattern.exec(path);
    if (match !== null) return { step: build(match), length: match[0].length };
  }
  return undefined;
}

const stepPatterns: readonly (readonly [RegExp, (match: RegExpExecArray) => Step])[] = [
  [descendPattern, ([, name = ""]) => descendStep(unescapeName(name))],
  [everyPattern, () => (values) => values.flatMap(children)],
  [namePattern, ([, name = ""]) => nameStep(unescapeName(name))],
  [quotedPattern, ([, single, double]) => nameStep(single ?? double ?? "")],
  [indexPattern, ([, index = "0"]) => indexStep(Number(index))],
  [slicePattern, ([, start = "", end = ""]) => sliceStep(start, end)],
  [filterPattern, ([, path = "", operator, literal = ""]) => filterStep(path, operator, literal)],
];

function unescapeName(name: string): string {
  return name.replaceAll(/\\(.)/g, "$1");
}

function nameStep(name: string): Step {
  return (values) =>
    values
      .filter((value) => isRecord(value) && Object.hasOwn(value, name))
      .map((value) => (isRecord(value) ? value[name] : undefined));
}

function indexStep(index: number): Step {
  return (values) =>
    values.flatMap((value): readonly unknown[] => {
      if (!Array.isArray(value)) return [];
      const position = index < 0 ? index + value.length : index;
      return position >= 0 && position < value.length ? [value[position]] : [];
    });
}

function sliceStep(start: string, end: string): Step {
  return (values) =>
    values.flatMap((value): readonly unknown[] =>
      Array.isArray(value)
        ? value.slice(start === "" ? 0 : Number(start), end === "" ? undefined : Number(end))
        : [],
    );
}

function descendStep(name: string): Step {
  return (values) => {
    const found: unknown[] = [];
    const seen = new Set<unknown>();
    // Without calling itself: what is nested is as deep as its author likes.
    const waiting = values.toReversed();
    while (waiting.length > 0 && found.length < maxValues) {
      const value = waiting.pop();
      if (typeof value !== "object" || value === null || seen.has(value)) continue;
      seen.add(value);
      if (isRecord(value) && Object.hasOwn(value, name)) found.push(value[name]);
      for (const child of children(value).toReversed()) waiting.push(child);
    }
    return found;
  };
}

function children(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

function filterStep(path: string, operator: string | undefined, literal: string): Step {
  const left = compileJsonPath(path);
  const right = readLiteral(literal);
  const accepts = (item: unknown): boolean => {
    const found = left?.(item) ?? [];
    if (operator === undefined) return found.length > 0;
    return found.length > 0 && compare(found[0], operator, right);
  };
  return (values) => values.flatMap(children).filter(accepts);
}

function readLiteral(literal: string): unknown {
  const quoted = /^(['"])(.*)\1$/.exec(literal);
  if (quoted !== null) return quoted[2];
  if (literal === "true" || literal === "false") return literal === "true";
  return Number.isNaN(Number(literal)) ? literal : Number(literal);
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  if (operator === "==") return left === right;
  if (operator === "!=") return left !== right;
  const isNumber = typeof left === "number" && typeof right === "number";
  const isText = typeof left === "string" && typeof right === "string";
  if (!isNumber && !isText) return false;
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}
