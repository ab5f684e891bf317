import type { ASTNode } from "@marcbachmann/cel-js";
import { UnsupportedExpression } from "./failures.ts";
import type { MessageLiteral } from "./message-literals.ts";
import { optionalFlags } from "./optional-entries.ts";
import { LiteralConstant } from "./patch-values.ts";
import { TypeValue } from "./values.ts";

/**
 * An expression in the form that is evaluated. Operators, functions and literals of the source are
 * calls of registered functions and constants, since the evaluator's own ones differ from
 * Kubernetes'. Macros, `&&`, `||` and `?:` stay.
 */
export interface RewrittenExpression {
  readonly text: string;
  /** Values of the variables that replace literals, by their names. */
  readonly constants: Readonly<Record<string, unknown>>;
}

/** The name of the function that calls all functions. */
export const callName = "call_";

/** The name of the function that returns its argument. */
export const stepName = "step";

const operators: Readonly<Record<string, string>> = {
  "==": "equal",
  "!=": "notEqual",
  "<": "less",
  "<=": "lessEqual",
  ">": "greater",
  ">=": "greaterEqual",
  in: "in",
  "+": "add",
  "-": "subtract",
  "*": "multiply",
  "/": "divide",
  "%": "modulo",
};

/** Types that expressions name. */
const typeNames: ReadonlySet<string> = new Set([
  "bool",
  "bytes",
  "double",
  "int",
  "list",
  "map",
  "null_type",
  "string",
  "type",
  "uint",
]);

const qualifiedTypes: ReadonlySet<string> = new Set([
  "google.protobuf.Duration",
  "google.protobuf.Timestamp",
  "kubernetes.NamedFormat",
  "kubernetes.Quantity",
  "kubernetes.Semver",
  "kubernetes.URL",
  "net.CIDR",
  "net.IP",
]);

const namespaces: ReadonlySet<string> = new Set([
  "cel",
  "format",
  "ip",
  "jsonpatch",
  "lists",
  "math",
  "optional",
  "sets",
  "strings",
]);

/**
 * Rewrites an expression.
 *
 * @param optionalEntries positions of `?` before entries of literals
 * @param messages literals of patch types, which are calls in the tree
 */
export function rewrite(
  node: ASTNode,
  optionalEntries: readonly number[],
  messages: readonly MessageLiteral[],
): RewrittenExpression {
  const rewriter = new Rewriter(optionalEntries, messages);
  return { text: rewriter.write(node, []), constants: rewriter.constants };
}

class Rewriter {
  readonly constants: Record<string, unknown> = {};
  readonly #optionalEntries: readonly number[];
  readonly #messages: readonly MessageLiteral[];
  #count = 0;

  constructor(optionalEntries: readonly number[], messages: readonly MessageLiteral[]) {
    this.#optionalEntries = optionalEntries;
    this.#messages = messages;
  }

  /** Writes a node; `scope` are the variables of the macros around it. */
  write(node: ASTNode, scope: readonly string[]): string {
    const write = (one: ASTNode): string => this.write(one, scope);
    switch (node.op) {
      case "value":
        return this.#constant(node.args);
      case "id":
        return this.#identifier(node.args, scope);
      case ".":
        return this.#select(node, scope);
      case ".?":
        return this.#call("optionalGet", write(node.args[0]), this.#constant(node.args[1]));
      case "[]":
        return this.#call("get", ...node.args.map(write));
      case "[?]":
        return this.#call("optionalGet", ...node.args.map(write));
      case "!_":
        return this.#call("not", write(node.args));
      case "-_":
        return this.#call("negate", write(node.args));
      case "&&":
      case "||":
        return `(${write(node.args[0])} ${node.op} ${write(node.args[1])})`;
      case "?:": {
        const [condition, one, other] = node.args.map(write);
        return `(${condition} ? ${one} : ${other})`;
      }
      case "list":
        return this.#list(node, scope);
      case "map":
        return this.#map(node, scope);
      case "call":
        return this.#function(node.args[0], node.args[1], scope);
      case "rcall":
        return this.#method(node.args[0], node.args[1], node.args[2], scope);
      case "==":
      case "!=":
      case "<":
      case "<=":
      case ">":
      case ">=":
      case "in":
      case "+":
      case "-":
      case "*":
      case "/":
      case "%":
        break;
    }
    return this.#call(operators[node.op] ?? "", ...node.args.map(write));
  }

  #constant(value: unknown): string {
    const name = `k${this.#count++}_`;
    this.constants[name] = value;
    return name;
  }

  #call(name: string, ...args: readonly string[]): string {
    return `${callName}(${this.#constant(name)}, [${args.join(", ")}])`;
  }

  /** Writes what a macro evaluates for each item so that it takes at least a step. */
  #step(body: string): string {
    return body.startsWith(`${callName}(`) ? body : this.#call(stepName, body);
  }

  #identifier(name: string, scope: readonly string[]): string {
    if (!scope.includes(name) && typeNames.has(name)) return this.#constant(new TypeValue(name));
    return scope.includes(name) ? `v_${name}` : name;
  }

  #select(node: ASTNode & { op: "." }, scope: readonly string[]): string {
    const path = qualifiedName(node);
    if (
      path !== undefined &&
      qualifiedTypes.has(path) &&
      !scope.includes(path.split(".")[0] ?? "")
    ) {
      return this.#constant(new TypeValue(path));
    }
    const [holder, name] = node.args;
    return this.#call("get", this.write(holder, scope), this.#constant(name));
  }

  #list(node: ASTNode & { op: "list" }, scope: readonly string[]): string {
    const optional = optionalFlags(node, this.#optionalEntries);
    // Written out, a long list would be created each time.
    const values = node.args.flatMap((item): unknown[] => (item.op === "value" ? [item.args] : []));
    if (values.length === node.args.length && !optional.includes(true)) {
      return this.#constant(values);
    }
    const items = node.args.map((item) => this.write(item, scope));
    if (!optional.includes(true)) return this.#call("list", `[${items.join(", ")}]`);
    const flags = optional.map((one) => this.#constant(one));
    return this.#call("listWithOptionals", `[${items.join(", ")}]`, `[${flags.join(", ")}]`);
  }

  #map(node: ASTNode & { op: "map" }, scope: readonly string[]): string {
    const optional = optionalFlags(node, this.#optionalEntries);
    const entries = node.args.flatMap((entry) => entry.map((one) => this.write(one, scope)));
    if (!optional.includes(true)) return this.#call("map", ...entries);
    const flags = optional.map((one) => this.#constant(one));
    return this.#call("mapWithOptionals", `[${entries.join(", ")}]`, `[${flags.join(", ")}]`);
  }

  #function(name: string, args: readonly ASTNode[], scope: readonly string[]): string {
    const [only] = args;
    if (name === "has" && args.length === 1 && only !== undefined) {
      if (only.op !== "." && only.op !== ".?") throw new UnsupportedExpression("has()");
      const [holder, field] = only.args;
      return this.#call("has", this.write(holder, scope), this.#constant(field));
    }
    const values = args.map((one) => this.write(one, scope));
    const message = this.#messages.find(({ call }) => call === name);
    if (message === undefined) return this.#call(name, ...values);
    const literal = this.#constant(new LiteralConstant(message));
    return this.#call("message", literal, `[${values.join(", ")}]`);
  }

  #method(
    name: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    scope: readonly string[],
  ): string {
    if (receiver.op === "id" && namespaces.has(receiver.args) && !scope.includes(receiver.args)) {
      const qualified = `${receiver.args}.${name}`;
      return this.#call(qualified, ...args.map((one) => this.write(one, scope)));
    }
    const macro = this.#macro(name, receiver, args, scope);
    if (macro !== undefined) return macro;
    const values = [receiver, ...args].map((one) => this.write(one, scope));
    if ((name === "or" || name === "orValue") && args.length === 1) {
      return `${values[0]}.${name}(${values[1]})`;
    }
    return this.#call(`.${name}`, ...values);
  }

  #macro(
    name: string,
    receiver: ASTNode,
    args: readonly ASTNode[],
    scope: readonly string[],
  ): string | undefined {
    const [first, second] = args;
    if (first?.op !== "id" || second === undefined) return undefined;
    const variable = first.args;
    const inner = [...scope, variable];
    const range = this.write(receiver, scope);
    const body = (node: ASTNode): string => this.#step(this.write(node, inner));
    const isSingle = args.length === 2;
    if (isSingle && (name === "optMap" || name === "optFlatMap")) {
      return this.#optionalMacro(name, range, variable, body(second));
    }
    if (isSingle && name === "sortBy") {
      const keys = `l_.map(v_${variable}, ${body(second)})`;
      return `cel.bind(l_, ${this.#call("range", range)}, ${this.#call("sortBy", "l_", keys)})`;
    }
    const native = name === "existsOne" ? "exists_one" : name;
    const isNative = isSingle
      ? ["all", "exists", "exists_one", "filter", "map"].includes(native)
      : native === "map" && args.length === 3;
    if (isNative) {
      const rest = args.slice(1).map(body).join(", ");
      return `${this.#call("range", range)}.${native}(v_${variable}, ${rest})`;
    }
    return this.#pairMacro(native, range, args, scope);
  }

  #optionalMacro(name: string, optional: string, variable: string, body: string): string {
    const value = this.#call(".value", "o_");
    const result = `cel.bind(v_${variable}, ${value}, ${body})`;
    const present = name === "optMap" ? this.#call("optional.of", result) : result;
    const condition = this.#call(".hasValue", "o_");
    return `cel.bind(o_, ${optional}, ${condition} ? ${present} : ${this.#call("optional.none")})`;
  }

  /** Macros with a variable for the index or key and one for the value. */
  #pairMacro(
    name: string,
    range: string,
    args: readonly ASTNode[],
    scope: readonly string[],
  ): string | undefined {
    const [first, second, third, fourth] = args;
    if (first?.op !== "id" || second?.op !== "id" || third === undefined) return undefined;
    const [key, value] = [first.args, second.args];
    const inner = [...scope, key, value];
    const body = (node: ASTNode): string => {
      const held = this.#call("second", "e_");
      const result = this.#step(this.write(node, inner));
      const bound = `cel.bind(v_${value}, ${held}, ${result})`;
      return `cel.bind(v_${key}, ${this.#call("first", "e_")}, ${bound})`;
    };
    const entries = this.#call("entries", range);
    const isTest = args.length === 3 && ["all", "exists", "exists_one"].includes(name);
    if (isTest) return `${entries}.${name}(e_, ${body(third)})`;
    if (!["transformList", "transformMap", "transformMapEntry"].includes(name)) return undefined;
    const kept = fourth === undefined ? entries : `${entries}.filter(e_, ${body(third)})`;
    const result = body(fourth ?? third);
    if (name === "transformList") return `${kept}.map(e_, ${result})`;
    const pair = name === "transformMap" ? `[${this.#call("first", "e_")}, ${result}]` : result;
    return this.#call(name, `${kept}.map(e_, ${pair})`);
  }
}

function qualifiedName(node: ASTNode): string | undefined {
  if (node.op === "id") return node.args;
  if (node.op !== ".") return undefined;
  const holder = qualifiedName(node.args[0]);
  return holder === undefined ? undefined : `${holder}.${node.args[1]}`;
}
