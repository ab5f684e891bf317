import type { ASTNode } from "@marcbachmann/cel-js";
import { textOf } from "../base/go-text.ts";
import { hasFunction } from "./evaluator.ts";

interface LibraryError {
  readonly code: string;
  readonly summary: string;
  readonly node?: ASTNode;
}

/** Puts an error at a place in the expression, as the compiler of cel-go does. */
export function positioned(expression: string, at: number, message: string): string {
  const before = expression.slice(0, at);
  const line = before.split("\n").length;
  const column = at - (before.lastIndexOf("\n") + 1);
  const source = (expression.split("\n")[line - 1] ?? "").replaceAll("\t", " ");
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${source}\n | ${".".repeat(column)}^`;
}

/** cel-go parser/options.go. Deeper expressions compile here, as far as the stack allows. */
const deepest = 250;

/** Words an error of the library as the compiler of cel-go does. */
export function compileProblem(error: unknown, expression: string): string {
  const isTooDeep =
    error instanceof RangeError || (isLibraryError(error) && /maxDepth/.test(error.summary));
  if (isTooDeep) return `ERROR: <input>:-1:0: expression recursion limit exceeded: ${deepest}`;
  if (!isLibraryError(error)) {
    const message = error instanceof Error ? error.message : String(error);
    return positioned(expression, 0, message);
  }
  const { node, summary } = error;
  const start = node?.start ?? 0;
  const types = /^[^:]*: (.*)$/.exec(summary)?.[1] ?? "";
  switch (error.code) {
    case "unknown_variable": {
      const name = summary.replace(/^Unknown variable: /, "");
      const message = `undeclared reference to '${name}' (in container '')`;
      return positioned(expression, start, message);
    }
    case "no_such_key": {
      const name = summary.replace(/^No such key: /, "");
      return positioned(expression, selectionAt(node, expression), `undefined field '${name}'`);
    }
    case "no_such_overload":
      return positioned(expression, operatorAt(node, expression), noOverload(node, types));
    case "no_matching_overload":
      return positioned(...callProblem(node, summary, expression));
    case "heterogeneous_list_element":
    case "heterogeneous_map_key":
    case "heterogeneous_map_value": {
      const message = summary.replace(/^.*?, (?=expected type)/, "");
      const at = node?.op === "." ? selectionAt(node, expression) : start;
      return positioned(expression, at, typeText(message));
    }
    case "incompatible_ternary_branches": {
      const [, left = "", right = ""] = /got '(.*)' and '(.*)'$/.exec(summary) ?? [];
      const branches = ["bool", typeText(left), typeText(right)].join(", ");
      const message = `found no matching overload for '_?_:_' applied to '(${branches})'`;
      return positioned(expression, ternaryAt(node, expression), message);
    }
    case "cannot_index_type": {
      const type = typeText(/'(.*)'/.exec(summary)?.[1] ?? "");
      const message = `type '${type}' does not support field selection`;
      return positioned(expression, dotBefore(node), message);
    }
    case "invalid_comprehension_range": {
      const message = typeText(summary)
        .replace(/^Expression/, "expression")
        .replace(/\.$/, "");
      return positioned(expression, start, message);
    }
    default:
      return positioned(expression, start, syntaxText(error));
  }
}

function isLibraryError(error: unknown): error is LibraryError {
  return error instanceof Error && "code" in error && "summary" in error;
}

// The texts of cel-go's parser for the commonest mistakes.
const syntaxTexts: Readonly<Record<string, string>> = {
  "Unexpected token: EOF":
    "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
  "Expected IDENTIFIER, got EOF": "no viable alternative at input '.'",
};

function syntaxText({ code, summary }: LibraryError): string {
  const isSyntax = ["expected_token", "unexpected_token", "unexpected_character"].includes(code);
  return isSyntax ? `Syntax error: ${syntaxTexts[summary] ?? summary}` : typeText(summary);
}

/** Names types as cel-go does. */
export function typeText(text: string): string {
  return text
    .replaceAll("optional<", "optional_type<")
    .replaceAll("google.protobuf.Timestamp", "timestamp")
    .replaceAll("google.protobuf.Duration", "duration")
    .replaceAll("_idx", "@idx")
    .replaceAll("_elem", "@elem")
    .replaceAll("<", "(")
    .replaceAll(">", ")");
}

function noOverload(node: ASTNode | undefined, types: string): string {
  const operator = node?.op ?? "";
  if (operator === "!_" || operator === "-_") {
    return `found no matching overload for '${operator}' applied to '(${typeText(types.slice(1))})'`;
  }
  const [left = "", right = ""] = types.split(` ${operator} `);
  const name = operator === "in" ? "@in" : `_${operator}_`;
  return `found no matching overload for '${name}' applied to '(${typeText(left)}, ${typeText(right)})'`;
}

function dotBefore(node: ASTNode | undefined): number {
  if (node === undefined) return 0;
  return Math.max(0, (node.pos === node.start ? node.end : node.pos) - 1);
}

/** The place of a selection: its dot, or the parenthesis of `has(…)` around it. */
function selectionAt(node: ASTNode | undefined, expression: string): number {
  const before = expression.slice(0, node?.start ?? 0);
  const macro = /\bhas\(\s*$/.exec(before);
  return macro === null ? dotBefore(node) : macro.index + "has".length;
}

/** The place of a ternary: its question mark. */
function ternaryAt(node: ASTNode | undefined, expression: string): number {
  const condition: unknown = Array.isArray(node?.args) ? node.args[0] : undefined;
  const end = condition instanceof Object && "end" in condition ? Number(condition.end) : 0;
  return Math.max(0, expression.indexOf("?", end));
}

function operatorAt(node: ASTNode | undefined, expression: string): number {
  if (node === undefined || !Array.isArray(node.args)) return node?.start ?? 0;
  const left: unknown = node.args[0];
  const end = typeof left === "object" && left !== null && "end" in left ? Number(left.end) : 0;
  const at = expression.indexOf(node.op, end);
  return at === -1 ? node.start : at;
}

function callProblem(
  node: ASTNode | undefined,
  summary: string,
  expression: string,
): [expression: string, at: number, message: string] {
  const called = /'(.*)\((.*)\)'$/.exec(summary);
  const shown = called?.[2] ?? "";
  if (node?.op === "rcall") {
    const [name, receiver] = node.args;
    const at = expression.indexOf("(", expression.indexOf(name, receiver.end));
    if (!hasFunction(`.${name}`)) {
      return [expression, at, `undeclared reference to '${name}' (in container '')`];
    }
    const type = receiverType(receiver, summary, name);
    const applied = `${typeText(type)}.(${typeText(shown)})`;
    const message = `found no matching overload for '${name}' applied to '${applied}'`;
    return [expression, at, message];
  }
  const name = node?.op === "call" ? node.args[0] : "";
  const at = (node?.start ?? 0) + name.length;
  const message = hasFunction(name)
    ? `found no matching overload for '${name}' applied to '(${typeText(shown)})'`
    : `undeclared reference to '${name}' (in container '')`;
  return [expression, at, message];
}

function receiverType(receiver: ASTNode, summary: string, name: string): string {
  return (
    checkedType(receiver) ?? summary.slice(summary.indexOf("'") + 1).split(`.${name}(`)[0] ?? ""
  );
}

/** The type that the checker has found for a node. */
export function checkedType(node: ASTNode | undefined): string | undefined {
  const checked: unknown = node === undefined ? undefined : Reflect.get(node, "checkedType");
  return checked instanceof Object && "name" in checked ? textOf(checked.name) : undefined;
}
