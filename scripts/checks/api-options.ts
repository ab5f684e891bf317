/** Reads the options of all exported classes and functions from the API reports in `etc`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor, type TSType } from "oxc-parser";

/** Type of an option, as far as a wrong value depends on it. */
export type OptionKind = "boolean" | "function" | "number" | "other" | "string";

/** A function, constructor or method that takes options. */
export interface OptionsTaker {
  /** `function`, `Class` for a constructor, or `Class.method`. */
  readonly name: string;
  readonly options: ReadonlyMap<string, OptionKind>;
}

interface Member {
  readonly name: string;
  readonly type: TSType | undefined;
}

interface Shape {
  readonly own: readonly Member[];
  readonly from: readonly TSType[];
}

/** Options of errors are not checked: an error in their place would hide what is reported. */
const optionsName =
  /^(?!Error|StatusError|ApiError|ListwatchError)(\w*(Options|Selection)|ConnectionConfig)$/;

class Reader {
  readonly #shapes = new Map<string, Shape>();
  readonly #exported = new Set<string>(["listen"]);
  readonly #found = new Map<string, OptionsTaker>();

  read(text: string): void {
    const { program } = parseSync("api.d.ts", text);
    // What only our packages share is in entries for them.
    const entries = text
      .split(/^(?=\/\/ \S+\.ts$)/m)
      .filter((part) => !/^\/\/ base(\/index)?\.ts/.test(part));
    for (const [, list = ""] of entries.join("").matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
      for (const [name] of list.matchAll(/\w+(?=\s*(?:,|$))/g)) this.#exported.add(name);
    }
    new Visitor({
      TSInterfaceDeclaration: ({ id, body, extends: heritage }) => {
        const from = heritage.map(
          ({ expression, typeArguments }) =>
            ({ type: "TSTypeReference", typeName: expression, typeArguments }) as unknown as TSType,
        );
        this.#shapes.set(id.name, { own: membersOf(body.body), from });
      },
    }).visit(program);
  }

  takersIn(text: string): void {
    const { program } = parseSync("api.d.ts", text);
    const add = (name: string, parameters: readonly unknown[]): void => {
      for (const parameter of parameters) {
        const type = typeOf(parameter);
        const options = type && this.#optionsIn(type);
        if (options !== undefined && options.size > 0) {
          const known = this.#found.get(name)?.options ?? [];
          this.#found.set(name, { name, options: new Map([...known, ...options]) });
        }
      }
    };
    for (const statement of program.body) {
      if (statement.type !== "ExportNamedDeclaration") continue;
      const { declaration } = statement;
      if (declaration?.type === "TSDeclareFunction") add(declaration.id!.name, declaration.params);
      if (declaration?.type !== "ClassDeclaration") continue;
      const of = declaration.id!.name;
      for (const member of declaration.body.body) {
        if (member.type !== "MethodDefinition" && member.type !== "TSAbstractMethodDefinition")
          continue;
        const { key, value } = member;
        if (key.type !== "Identifier") continue;
        add(key.name === "constructor" ? of : `${of}.${key.name}`, value.params);
      }
    }
  }

  get takers(): readonly OptionsTaker[] {
    return [...this.#found.values()].filter(({ name }) => this.#exported.has(name.split(".")[0]!));
  }

  /** The options in the type of a parameter; `undefined` for one that is no options object. */
  #optionsIn(type: TSType): ReadonlyMap<string, OptionKind> | undefined {
    if (!isOptions(type)) return undefined;
    return new Map(this.#members(type).map(({ name, type: of }) => [name, kindOf(of)]));
  }

  #members(type: TSType): readonly Member[] {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (type.type) {
      case "TSTypeLiteral":
        return membersOf(type.members);
      case "TSIntersectionType":
        return type.types.flatMap((each) => this.#members(each));
      case "TSTypeReference": {
        const name = "name" in type.typeName ? type.typeName.name : "";
        const [first, names] = type.typeArguments?.params ?? [];
        if ((name === "Pick" || name === "Omit") && first && names) {
          const chosen = namesIn(names);
          return this.#members(first).filter(
            (each) => chosen.includes(each.name) === (name === "Pick"),
          );
        }
        const shape = this.#shapes.get(name);
        return shape === undefined
          ? []
          : [...shape.own, ...shape.from.flatMap((each) => this.#members(each))];
      }
      default:
        return [];
    }
  }
}

function isOptions(type: TSType): boolean {
  if (type.type === "TSIntersectionType") return type.types.some(isOptions);
  if (type.type === "TSTypeLiteral")
    return membersOf(type.members).some(({ name }) => name === "signal" || name === "token");
  if (type.type !== "TSTypeReference" || !("name" in type.typeName)) return false;
  const { name } = type.typeName;
  if (name === "Pick" || name === "Omit") return isOptions(type.typeArguments!.params[0]!);
  return optionsName.test(name);
}

function namesIn(type: TSType): readonly string[] {
  if (type.type === "TSUnionType") return type.types.flatMap(namesIn);
  return type.type === "TSLiteralType" && "value" in type.literal
    ? [String(type.literal.value)]
    : [];
}

function membersOf(members: readonly unknown[]): Member[] {
  return (
    members as {
      type: string;
      key?: { name?: string };
      typeAnnotation?: { typeAnnotation: TSType };
    }[]
  ).flatMap((member) =>
    member.type === "TSPropertySignature" && member.key?.name !== undefined
      ? [{ name: member.key.name, type: member.typeAnnotation?.typeAnnotation }]
      : [],
  );
}

function typeOf(parameter: unknown): TSType | undefined {
  const { left = parameter } = parameter as { left?: unknown };
  return (left as { typeAnnotation?: { typeAnnotation: TSType } }).typeAnnotation?.typeAnnotation;
}

const kinds: Readonly<Record<string, OptionKind>> = {
  TSBooleanKeyword: "boolean",
  TSFunctionType: "function",
  TSNumberKeyword: "number",
  TSStringKeyword: "string",
};

function kindOf(type: TSType | undefined): OptionKind {
  if (type?.type === "TSParenthesizedType") return kindOf(type.typeAnnotation);
  if (type?.type === "TSUnionType") {
    const rest = type.types.filter((each) => each.type !== "TSUndefinedKeyword");
    return rest.length === 1 ? kindOf(rest[0]) : "other";
  }
  return (type && kinds[type.type]) ?? "other";
}

/** The exported functions, constructors and methods that take options, with all their options. */
export function readOptionsTakers(folder = "etc"): readonly OptionsTaker[] {
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const reader = new Reader();
  for (const text of texts) reader.read(text);
  for (const text of texts) reader.takersIn(text);
  return reader.takers;
}
