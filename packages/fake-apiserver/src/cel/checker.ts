import { type ASTNode, Environment } from "@marcbachmann/cel-js";
import { accessSignatures, accessTypes, authorizerType } from "./access-values.ts";
import { hideLiterals } from "./literals.ts";
import { type CheckerType, type MacroChecker, registerMacros } from "./macros.ts";
import type { MessageLiteral } from "./message-literals.ts";
import { optionalValues } from "./optional-entries.ts";
import {
  equalities,
  libraryTypes,
  namespaceTypes,
  operatorSignatures,
  qualifiedTypes,
  signatures,
} from "./signatures.ts";
import type { TypeRegistry } from "./declared-types.ts";

const unevaluated = (): never => {
  throw new Error("The checker does not evaluate expressions");
};

/** The class of a type that no value has, since the checker does not evaluate. */
function newType(): new () => object {
  return class {
    readonly isDeclared = true;
  };
}

function createBase(): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    limits: { maxAstNodes: 1e6, maxDepth: 2000, maxListElements: 1e5, maxMapEntries: 1e5 },
  });
  for (const name of [...libraryTypes, ...accessTypes]) {
    environment.registerType(name, { ctor: newType() });
  }
  environment.registerType(authorizerType.name, { fields: authorizerType.fields });
  for (const [name, type] of Object.entries(namespaceTypes)) {
    const ctor = newType();
    environment.registerType(type, { ctor });
    environment.registerConstant(name, type, new ctor());
  }
  for (const [name, types] of Object.entries(qualifiedTypes)) {
    environment.registerType(`${name}Namespace`, {
      fields: Object.fromEntries(types.map((type) => [type, "type"])),
    });
    environment.registerVariable(name, `${name}Namespace`);
  }
  for (const signature of operatorSignatures) environment.registerOperator(signature, unevaluated);
  for (const signature of [...signatures, ...accessSignatures]) {
    environment.registerFunction(signature, unevaluated, { async: false });
  }
  registerMacros(environment);
  return environment;
}

const base = createBase();

/** The macro `has` of the library takes only fields of fields of variables. */
const hasMacro = "hs_";

/** Replaces the macro `has` without moving any other character. */
function withOwnHas(expression: string): string {
  let source = expression;
  for (const { index } of hideLiterals(expression).matchAll(/(?<![\w.])has(?=\s*\()/g)) {
    source = source.slice(0, index) + hasMacro + source.slice(index + hasMacro.length);
  }
  return source;
}

function registerMessage(environment: Environment, type: string): void {
  environment.registerType(type, { ctor: newType() });
  for (const signature of equalities(type)) environment.registerOperator(signature, unevaluated);
}

/** Lets the checker see the type of the value of an optional. */
function unwrapOptional(node: ASTNode): void {
  const check: NodeCheck = Reflect.get(node, "check");
  const unwrapped: NodeCheck = (checker, self, scope) => {
    const type = check.call(node, checker, self, scope);
    if (type.kind === "dyn") return type;
    if (type.kind === "optional" && type.valueType !== undefined) return type.valueType;
    const message = `expected type 'optional<${type.name}>' but found '${type.name}'`;
    throw checker.createError("optional_entry", message, node);
  };
  Reflect.set(node, "check", unwrapped);
}

type NodeCheck = (checker: MacroChecker, node: ASTNode, scope: unknown) => CheckerType;

/** Declares types, then checks expressions with variables of these types. */
export class Checker implements TypeRegistry {
  readonly #environment: Environment;

  readonly #messages: readonly MessageLiteral[];

  constructor(environment: Environment = base.clone(), messages: readonly MessageLiteral[] = []) {
    this.#environment = environment;
    this.#messages = messages;
  }

  registerType(name: string, fields: Readonly<Record<string, string>>): void {
    this.#environment.registerType(name, { fields: { ...fields } });
    for (const signature of equalities(name)) {
      this.#environment.registerOperator(signature, unevaluated);
    }
  }

  /** Returns a checker with the same types and these variables. No types can be added then. */
  withVariables(variables: Readonly<Record<string, string>>): Checker {
    const environment = this.#environment.clone();
    for (const [name, type] of Object.entries(variables)) {
      environment.registerVariable(name, type);
    }
    return new Checker(environment);
  }

  /** Returns a checker that knows the types of patches and their functions. */
  withPatchTypes(): Checker {
    const environment = this.#environment.clone();
    const patches = "JsonpatchNamespace";
    const ctor = newType();
    environment.registerType(patches, { ctor });
    environment.registerConstant("jsonpatch", patches, new ctor());
    environment.registerFunction(`${patches}.escapeKey(string): string`, unevaluated);
    for (const type of ["Object", "JSONPatch"]) registerMessage(environment, type);
    return new Checker(environment);
  }

  /** Returns a checker for an expression with these literals of patch types. */
  withMessages(messages: readonly MessageLiteral[]): Checker {
    if (messages.length === 0) return this;
    const environment = this.#environment.clone();
    const types = new Set(messages.map(({ type }) => type));
    for (const type of types) {
      if (type.includes(".")) registerMessage(environment, type);
    }
    for (const { call, fields, type } of messages) {
      const parameters = fields.map(() => "dyn").join(", ");
      environment.registerFunction(`${call}(${parameters}): ${type}`, unevaluated);
    }
    return new Checker(environment, messages);
  }

  /**
   * Checks the types of an expression.
   *
   * @param optionals places of the `?` before optional entries
   * @returns the name of its type
   * @throws {Error} of the library, with the node that has the first error
   */
  check(
    expression: string,
    optionals: readonly number[] = [],
  ): { readonly type: string; readonly ast: ASTNode } {
    const source = withOwnHas(expression);
    const parsed = this.#environment.parse(source);
    const values = optionalValues(parsed.ast, optionals, this.#messages);
    for (const value of values) unwrapOptional(value);
    const { error, type = "dyn" } = parsed.check();
    if (error !== undefined) throw error;
    return { type, ast: parsed.ast };
  }
}
