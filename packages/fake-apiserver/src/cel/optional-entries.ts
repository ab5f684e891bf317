import type { ASTNode } from "@marcbachmann/cel-js";
import { hideLiterals } from "./literals.ts";
import type { MessageLiteral } from "./message-literals.ts";

/**
 * Blanks out the `?` before optional entries of list and map literals, which the parser does not
 * know, and returns where they were.
 */
export function withoutOptionalEntries(expression: string): {
  readonly source: string;
  readonly positions: readonly number[];
} {
  const positions: number[] = [];
  if (!expression.includes("?")) return { source: expression, positions };
  /** The open brackets: whether they contain entries. */
  const open: boolean[] = [];
  let before = "";
  for (const { 0: token, index } of hideLiterals(expression).matchAll(/\w+|\S/g)) {
    if ("([{".includes(token)) open.push(token === "{" || (token === "[" && !isValue(before)));
    else if (")]}".includes(token)) open.pop();
    else if (token === "?" && open.at(-1) === true && "[{,".includes(before)) positions.push(index);
    before = token;
  }
  const characters = Array.from({ length: expression.length }, (_, at) => expression.charAt(at));
  for (const at of positions) characters[at] = " ";
  return { source: characters.join(""), positions };
}

/** Whether a token can be the end of a value, which a bracket after it selects from. */
function isValue(token: string): boolean {
  return /[\w)\]}`]$/.test(token) && token !== "in";
}

/** Calls a function with each node of a syntax tree. */
export function visit(node: ASTNode, called: (node: ASTNode) => void): void {
  called(node);
  const each = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) each(one);
    else if (isNode(value)) visit(value, called);
  };
  each(node.args);
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === "object" && value !== null && "op" in value && "args" in value;
}

/** Whether each entry of a list or map has a `?` before it. */
export function optionalFlags(
  node: ASTNode & { op: "list" | "map" },
  positions: readonly number[],
): readonly boolean[] {
  let from = node.start;
  return node.args.map((entry) => {
    const [first, last] = Array.isArray(entry) ? entry : [entry, entry];
    const isOptional = positions.some((at) => at > from && at < first.start);
    from = last.end;
    return isOptional;
  });
}

/** Returns the values that must be optional, since their entry or field has a `?` before it. */
export function optionalValues(
  ast: ASTNode,
  positions: readonly number[],
  messages: readonly MessageLiteral[],
): readonly ASTNode[] {
  const values: ASTNode[] = [];
  visit(ast, (node) => {
    if (node.op === "list" || node.op === "map") {
      const flags = optionalFlags(node, positions);
      const all = node.args.map((entry) => (Array.isArray(entry) ? entry[1] : entry));
      values.push(...all.filter((_value, index) => flags[index]));
    } else if (node.op === "call") {
      const [name, args] = node.args;
      const fields = messages.find(({ call }) => call === name)?.fields;
      values.push(...args.filter((_value, index) => fields?.[index]?.isOptional));
    }
  });
  return values;
}
