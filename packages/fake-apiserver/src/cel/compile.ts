import type { ASTNode } from "@marcbachmann/cel-js";
import { patternProblem } from "../schema/pattern.ts";
import type { Checker } from "./checker.ts";
import { checkedType, compileProblem, positioned, typeText } from "./compile-problems.ts";
import { createProgram, parseSource, type Program } from "./evaluator.ts";
import { CelFailure, UnsupportedExpression } from "./failures.ts";
import { type MessageLiteral, withoutMessages } from "./message-literals.ts";
import { visit, withoutOptionalEntries } from "./optional-entries.ts";
import { parseGoDuration, parseTimestamp } from "./times.ts";
import { rewrite } from "./rewrite.ts";

/** A compiled expression, or the server's report why it does not compile. */
export type Compiled =
  | {
      readonly program: Program;
      /** The name of the type; "dyn" if only the evaluation shows it. */
      readonly type: string;
      /** Whether a "dyn" is certain: the checker may know less than a real server's. */
      readonly isDynamic: boolean;
      readonly variables: ReadonlySet<string>;
      readonly problem?: undefined;
    }
  | {
      readonly problem: string;
      readonly program?: undefined;
      /** Whether a real server may accept it. */
      readonly isUnsupported: boolean;
    };

/** Options of {@link compile}. */
export interface CompileOptions {
  /** Whether the expression may contain literals of patch types. @default false */
  readonly hasPatchTypes?: boolean | undefined;
}

/** cel-go parser/options.go: `expressionSizeCodePointLimit`. */
const mostCharacters = 100_000;

/** Compiles an expression with the variables of a checker. */
export function compile(
  expression: string,
  checker: Checker,
  { hasPatchTypes = false }: CompileOptions = {},
): Compiled {
  const { length } = Array.from(expression);
  if (length > mostCharacters) {
    const limit = `size: ${length}, limit ${mostCharacters}`;
    const problem = `ERROR: <input>:-1:0: expression code point size exceeds limit: ${limit}`;
    return { problem, isUnsupported: false };
  }
  const plain = hasPatchTypes ? withoutMessages(expression) : { source: expression, messages: [] };
  const { messages } = plain;
  const { positions, source } = withoutOptionalEntries(plain.source);
  try {
    const { ast } = parseSource(source);
    const literal =
      bindProblem(ast, expression) ??
      intProblem(ast, expression) ??
      literalProblem(ast, expression);
    const { ast: typed, type } = checker.withMessages(messages).check(source, positions);
    const problem = literal ?? messageProblem(typed, messages, expression);
    if (problem !== undefined) return { problem, isUnsupported: false };
    const isDynamic = type === "dyn" && [".", "[]", "?:", "id"].includes(ast.op);
    const variables = new Set<string>();
    visit(ast, (node) => {
      if (node.op === "id") variables.add(node.args);
    });
    const program = createProgram(rewrite(ast, positions, messages));
    return { program, type, isDynamic, variables };
  } catch (error) {
    const isUnsupported = error instanceof UnsupportedExpression;
    return { problem: compileProblem(error, expression), isUnsupported };
  }
}

/** The library has the macro `cel.bind`, and a real server does not. */
function bindProblem(ast: ASTNode, expression: string): string | undefined {
  let problem: string | undefined;
  visit(ast, (node) => {
    if (node.op !== "rcall") return;
    const [name, receiver] = node.args;
    if (name !== "bind" || receiver.op !== "id" || receiver.args !== "cel") return;
    problem ??= positioned(
      expression,
      receiver.start,
      "undeclared reference to 'cel' (in container '')",
    );
  });
  return problem;
}

/** The parser reads integers of any length. */
function intProblem(ast: ASTNode, expression: string): string | undefined {
  let problem: string | undefined;
  const least = new Set<ASTNode>();
  visit(ast, (node) => {
    if (node.op === "-_" && node.args.op === "value" && node.args.args === 2n ** 63n) {
      least.add(node.args);
    }
    const isLong = node.op === "value" && typeof node.args === "bigint" && node.args >= 2n ** 63n;
    if (isLong && !least.has(node)) {
      problem ??= positioned(expression, node.start, "invalid int literal");
    }
  });
  return problem;
}

/** The first literal argument that its function refuses. */
function literalProblem(ast: ASTNode, expression: string): string | undefined {
  let problem: string | undefined;
  visit(ast, (node) => {
    if (problem !== undefined) return;
    const call = callOf(node);
    const check = literalChecks[call?.name ?? ""];
    const argument = call?.args[0];
    if (check === undefined || argument?.op !== "value" || typeof argument.args !== "string") {
      return;
    }
    if (isAccepted(check, argument.args)) return;
    const name = call?.name.replace(/^\./, "") ?? "";
    problem = positioned(expression, argument.start, `invalid ${name} argument`);
  });
  return problem;
}

const patchFields: Readonly<Record<string, string>> = {
  op: "string",
  path: "string",
  from: "string",
  value: "dyn",
};

/** The first field of a JSON patch that does not exist, or that has a value of another type. */
function messageProblem(
  ast: ASTNode,
  messages: readonly MessageLiteral[],
  expression: string,
): string | undefined {
  let problem: string | undefined;
  visit(ast, (node) => {
    const call = callOf(node);
    const message = messages.find((one) => one.call === call?.name);
    if (message?.type !== "JSONPatch") return;
    for (const [index, { at, name }] of message.fields.entries()) {
      const type = Object.hasOwn(patchFields, name) ? patchFields[name] : undefined;
      const provided = checkedType(call?.args[index]) ?? "dyn";
      if (type === undefined) problem ??= positioned(expression, at, `undefined field '${name}'`);
      else if (type !== "dyn" && !["dyn", "T", type].includes(provided)) {
        const detail = `expected type of field '${name}' is '${type}' but provided type is`;
        problem ??= positioned(expression, at, `${detail} '${typeText(provided)}'`);
      }
    }
  });
  return problem;
}

function callOf(
  node: ASTNode,
): { readonly name: string; readonly args: readonly ASTNode[] } | undefined {
  if (node.op === "call") return { name: node.args[0], args: node.args[1] };
  if (node.op === "rcall") return { name: `.${node.args[0]}`, args: node.args[2] };
  return undefined;
}

const literalChecks: Readonly<Record<string, (text: string) => unknown>> = {
  ".matches": checkPattern,
  ".find": checkPattern,
  ".findAll": checkPattern,
  duration: parseGoDuration,
  timestamp: parseTimestamp,
};

function checkPattern(pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem !== undefined) throw new CelFailure(problem);
}

function isAccepted(check: (text: string) => unknown, text: string): boolean {
  try {
    check(text);
    return true;
  } catch {
    return false;
  }
}
