import type { Environment } from "@marcbachmann/cel-js";

/** A type, as the checker of the library reports it. */
export interface CheckerType {
  readonly kind: string;
  readonly name: string;
  readonly keyType?: CheckerType | undefined;
  readonly valueType?: CheckerType | undefined;
}

/** A node of a syntax tree, as macros see it. */
interface MacroNode {
  readonly op: string;
  readonly args: unknown;
}

interface MacroCall {
  readonly args: readonly MacroNode[];
  readonly receiver: MacroNode;
}

interface MacroScope {
  forkWithVariable(name: string, type: CheckerType): MacroScope;
}

/** The checker of the library. */
export interface MacroChecker {
  check(node: MacroNode, scope: MacroScope): CheckerType;
  getType(name: string): CheckerType;
  createError(code: string, message: string, node: MacroNode): Error;
}

/** Computes the type of a macro from its arguments. */
type MacroRule = (checker: MacroChecker, scope: MacroScope, call: MacroCall) => CheckerType;

/** The types of the variables: the index or key, and the value. */
function variableTypes(
  checker: MacroChecker,
  scope: MacroScope,
  { receiver }: MacroCall,
): readonly [key: CheckerType, value: CheckerType] {
  const range = checker.check(receiver, scope);
  const dyn = checker.getType("dyn");
  if (range.kind === "list") return [checker.getType("int"), range.valueType ?? dyn];
  if (range.kind === "map") return [range.keyType ?? dyn, range.valueType ?? dyn];
  if (range.kind === "dyn") return [dyn, dyn];
  const shown = range.name;
  throw checker.createError(
    "invalid_comprehension_range",
    `Expression of type '${shown}' cannot be range of a comprehension (must be list, map, or dynamic).`,
    receiver,
  );
}

function nameOf(checker: MacroChecker, node: MacroNode): string {
  if (node.op === "id" && typeof node.args === "string") return node.args;
  throw checker.createError("invalid_macro_argument", "argument must be a simple name", node);
}

function checkBool(checker: MacroChecker, scope: MacroScope, node: MacroNode): void {
  const type = checker.check(node, scope);
  if (type.kind === "dyn" || type.name === "bool") return;
  const message = `predicate must return bool, got '${type.name}'`;
  throw checker.createError("invalid_condition_type", message, node);
}

function pairScope(checker: MacroChecker, scope: MacroScope, call: MacroCall): MacroScope {
  const [key, value] = variableTypes(checker, scope, call);
  const [first, second] = call.args;
  if (first === undefined || second === undefined) return scope;
  const [outer, inner] = [nameOf(checker, first), nameOf(checker, second)];
  if (outer === inner) {
    const message = `duplicate variable name: ${inner}`;
    throw checker.createError("duplicate_variable", message, second);
  }
  return scope.forkWithVariable(outer, key).forkWithVariable(inner, value);
}

const test: MacroRule = (checker, scope, call) => {
  const inner = pairScope(checker, scope, call);
  const [, , predicate] = call.args;
  if (predicate !== undefined) checkBool(checker, inner, predicate);
  return checker.getType("bool");
};

const existsOne: MacroRule = (checker, scope, call) => {
  const [variable, predicate] = call.args;
  const range = checker.check(call.receiver, scope);
  const [key, value] = variableTypes(checker, scope, call);
  const type = range.kind === "map" ? key : value;
  if (variable !== undefined && predicate !== undefined) {
    checkBool(checker, scope.forkWithVariable(nameOf(checker, variable), type), predicate);
  }
  return checker.getType("bool");
};

function transform(result: (types: readonly [CheckerType, CheckerType]) => string): MacroRule {
  return (checker, scope, call) => {
    const inner = pairScope(checker, scope, call);
    const rest = call.args.slice(2);
    const [filter] = rest;
    if (rest.length === 2 && filter !== undefined) checkBool(checker, inner, filter);
    const last = rest.at(-1);
    const type = last === undefined ? checker.getType("dyn") : checker.check(last, inner);
    return checker.getType(result([variableTypes(checker, scope, call)[0], type]));
  };
}

function optional(wraps: boolean): MacroRule {
  return (checker, scope, { args, receiver }) => {
    const type = checker.check(receiver, scope);
    const [variable, body] = args;
    if (variable === undefined || body === undefined) return type;
    const dyn = checker.getType("dyn");
    const inner = scope.forkWithVariable(nameOf(checker, variable), type.valueType ?? dyn);
    const result = checker.check(body, inner);
    return wraps ? checker.getType(`optional<${result.name}>`) : result;
  };
}

const sortBy: MacroRule = (checker, scope, call) => {
  const range = checker.check(call.receiver, scope);
  const [variable, key] = call.args;
  const [, value] = variableTypes(checker, scope, call);
  if (variable !== undefined && key !== undefined) {
    checker.check(key, scope.forkWithVariable(nameOf(checker, variable), value));
  }
  return range;
};

const has: MacroRule = (checker, scope, { args: [selection] }) => {
  if (selection === undefined || (selection.op !== "." && selection.op !== ".?")) {
    const message = "invalid argument to has() macro";
    throw checker.createError("invalid_macro_argument", message, selection ?? { op: "", args: "" });
  }
  checker.check(selection, scope);
  return checker.getType("bool");
};

const list = transform(([, value]) => `list<${value.name}>`);
const map = transform(([key, value]) => `map<${key.name}, ${value.name}>`);
const entry = transform(([, value]) => value.name);

const macros: readonly (readonly [signature: string, rule: MacroRule])[] = [
  ["hs_(ast): bool", has],
  ["list.all(ast, ast, ast): bool", test],
  ["list.exists(ast, ast, ast): bool", test],
  ["list.existsOne(ast, ast, ast): bool", test],
  ["list.exists_one(ast, ast, ast): bool", test],
  ["list.existsOne(ast, ast): bool", existsOne],
  ["list.transformList(ast, ast, ast): list", list],
  ["list.transformList(ast, ast, ast, ast): list", list],
  ["list.transformMap(ast, ast, ast): map", map],
  ["list.transformMap(ast, ast, ast, ast): map", map],
  ["list.transformMapEntry(ast, ast, ast): map", entry],
  ["list.transformMapEntry(ast, ast, ast, ast): map", entry],
  ["list.sortBy(ast, ast): list", sortBy],
  ["optional.optMap(ast, ast): optional", optional(true)],
  ["optional.optFlatMap(ast, ast): optional", optional(false)],
];

/** Registers the types of macros, which are rewritten before an expression is evaluated. */
export function registerMacros(environment: Environment): void {
  for (const [signature, rule] of macros) {
    environment.registerFunction(
      signature,
      (call: MacroCall) => ({
        typeCheck: (checker: MacroChecker, _macro: unknown, scope: MacroScope) =>
          rule(checker, scope, call),
        evaluate: () => undefined,
      }),
      { async: false },
    );
  }
}
