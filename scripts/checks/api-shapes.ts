/** Shapes of the types in the API reports, as far as options depend on them. */
import { dirname, join } from "node:path/posix";
import { parseSync, Visitor, type TSType } from "oxc-parser";

/**
 * Forms of the values that a type allows. A `group` is an object with further options. A `handle`
 * is an object of the program with members that it must have. `any` is a type parameter.
 */
export type Form =
  | "any"
  | "array"
  | "boolean"
  | "function"
  | "group"
  | "handle"
  | "iterable"
  | "null"
  | "number"
  | "object"
  | "string"
  | "word";

export interface Member {
  /** The module that declares it, where the names in its type are looked up. */
  readonly module: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: TSType | undefined;
}

interface Shape {
  readonly module: string;
  readonly own: readonly Member[];
  readonly from: readonly TSType[];
  readonly isCallable: boolean;
}

/** Interfaces of objects that programs make, which may have any other members. */
const objectsOfPrograms = new Set([
  "Client",
  "Connection",
  "Decoder",
  "KubernetesObject",
  "ListerOptions",
  "ListerWatcher",
  "Models",
  "QueueOrdering",
  "ResourceReference",
]);

/** Types that are their only or first argument, as far as forms are concerned. */
const transparent = new Set(["NoInfer", "NonNullable", "Partial", "Readonly", "Required"]);

const keywords: Readonly<Record<string, Form>> = {
  TSArrayType: "array",
  TSBooleanKeyword: "boolean",
  TSFunctionType: "function",
  TSNullKeyword: "null",
  TSNumberKeyword: "number",
  TSStringKeyword: "string",
  TSTemplateLiteralType: "string",
  TSTupleType: "array",
  TSUnknownKeyword: "any",
};

const builtIn: Readonly<Record<string, Form>> = {
  AbortSignal: "handle",
  Iterable: "iterable",
  Record: "object",
};

/** The types of all modules. A name means the module's own type, or what it imports. */
export class Shapes {
  readonly #shapes = new Map<string, Shape>();
  readonly #aliases = new Map<string, Member>();
  readonly #imports = new Map<string, string>();
  readonly #classes = new Set<string>();

  /** Reads a part of a report, which begins with the name of its module. */
  read(module: string, text: string): void {
    const add = <V>(to: Map<string, V>, name: string, value: V): void => {
      to.set(`${module} ${name}`, value);
      if (!to.has(name)) to.set(name, value);
    };
    const { program } = parseSync("api.d.ts", text);
    new Visitor({
      TSInterfaceDeclaration: ({ id, body, extends: heritage }) => {
        const from = heritage.map(
          ({ expression, typeArguments }) =>
            ({ type: "TSTypeReference", typeName: expression, typeArguments }) as unknown as TSType,
        );
        const isCallable = body.body.some(({ type }) => type === "TSCallSignatureDeclaration");
        const own = membersOf(module, body.body);
        add(this.#shapes, id.name, { module, own, from, isCallable });
      },
      TSTypeAliasDeclaration: ({ id: { name }, typeAnnotation: type }) => {
        add(this.#aliases, name, { module, name, type, isRequired: true });
      },
      ClassDeclaration: ({ id }) => {
        if (id !== null) this.#classes.add(id.name);
      },
      ImportDeclaration: ({ source, specifiers }) => {
        if (!source.value.startsWith(".")) return;
        const from = join(dirname(module), source.value);
        for (const { local } of specifiers) this.#imports.set(`${module} ${local.name}`, from);
      },
    }).visit(program);
  }

  /** The members of a type, with those that it inherits or picks. */
  members(module: string, type: TSType | undefined): readonly Member[] {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (type?.type) {
      case "TSTypeLiteral":
        return membersOf(module, type.members);
      case "TSParenthesizedType":
        return this.members(module, type.typeAnnotation);
      case "TSIntersectionType":
        return type.types.flatMap((each) => this.members(module, each));
      case "TSUnionType":
        return this.#alternatives(module, type);
      case "TSIndexedAccessType":
        return this.#accessed(module, type).flatMap((each) => this.members(each.module, each.type));
      case "TSTypeReference":
        return this.#referenced(module, type);
      default:
        return [];
    }
  }

  /** The forms of the values of a type, without `undefined`. */
  forms(module: string, type: TSType | undefined): readonly Form[] {
    const keyword = keywords[type?.type ?? ""];
    if (keyword !== undefined) return [keyword];
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (type?.type) {
      case "TSUndefinedKeyword":
        return [];
      case "TSLiteralType":
        return [typeof Reflect.get(type.literal, "value") === "boolean" ? "boolean" : "word"];
      case "TSParenthesizedType":
      case "TSTypeOperator":
        return this.forms(module, type.typeAnnotation);
      case "TSUnionType":
        return type.types.flatMap((each) => this.forms(module, each));
      case "TSIntersectionType":
        return narrowest(type.types.flatMap((each) => this.forms(module, each)));
      case "TSIndexedAccessType":
        return this.#accessed(module, type).flatMap((each) => this.forms(each.module, each.type));
      case "TSTypeLiteral":
        return this.#formOfObject(module, type);
      case "TSTypeReference":
        return this.#formsOfReference(module, type);
      default:
        return ["any"];
    }
  }

  /** Members of alternatives are not required. */
  #alternatives(module: string, type: TSType & { type: "TSUnionType" }): readonly Member[] {
    const types = type.types.filter((each) => each.type !== "TSUndefinedKeyword");
    const found = types.flatMap((each) => this.members(module, each));
    if (types.length === 1) return found;
    return found.map(({ module: of, name, type: from }) => {
      return { module: of, name, type: from, isRequired: false };
    });
  }

  #referenced(module: string, type: Reference): readonly Member[] {
    const name = nameOf(type);
    const [first, names] = type.typeArguments?.params ?? [];
    if (transparent.has(name)) return this.members(module, first);
    if ((name === "Pick" || name === "Omit") && names) {
      const chosen = namesIn(names);
      return this.members(module, first).filter(
        (each) => chosen.includes(each.name) === (name === "Pick"),
      );
    }
    const alias = this.#find(this.#aliases, module, name);
    if (alias !== undefined) return this.members(alias.module, alias.type);
    const shape = this.#find(this.#shapes, module, name);
    if (shape === undefined) return [];
    return [...shape.own, ...shape.from.flatMap((each) => this.members(shape.module, each))];
  }

  #formsOfReference(module: string, type: Reference): readonly Form[] {
    const name = nameOf(type);
    const [first] = type.typeArguments?.params ?? [];
    if (transparent.has(name)) return this.forms(module, first);
    if (name === "Pick" || name === "Omit") {
      const [of = "any"] = this.forms(module, first);
      return [of];
    }
    if (this.#classes.has(name)) return ["handle"];
    const alias = this.#find(this.#aliases, module, name);
    if (alias !== undefined) return this.forms(alias.module, alias.type);
    const shape = this.#find(this.#shapes, module, name);
    if (shape === undefined) return [builtIn[name] ?? "any"];
    if (shape.isCallable) return ["function"];
    if (name.endsWith("Metrics")) return ["object"];
    if (objectsOfPrograms.has(name)) return ["handle"];
    return groupName.test(name) ? ["group"] : this.#formOfObject(module, type);
  }

  /** Objects with functions alone are the program's: clocks, logs, stores. */
  #formOfObject(module: string, type: TSType): readonly Form[] {
    const members = this.members(module, type);
    if (members.some((each) => !this.#isFunction(each))) return ["group"];
    return [members.some(({ isRequired }) => isRequired) ? "handle" : "object"];
  }

  #isFunction({ module, type }: Member): boolean {
    return this.forms(module, type).every((form) => form === "function");
  }

  #accessed(module: string, type: TSType & { type: "TSIndexedAccessType" }): readonly Member[] {
    const names = namesIn(type.indexType);
    return this.members(module, type.objectType).filter(({ name }) => names.includes(name));
  }

  #find<V>(map: ReadonlyMap<string, V>, module: string, name: string): V | undefined {
    const from = this.#imports.get(`${module} ${name}`);
    return map.get(`${module} ${name}`) ?? map.get(`${from} ${name}`) ?? map.get(name);
  }
}

type Reference = TSType & { type: "TSTypeReference" };

/** Groups even if all their options are functions. */
const groupName = /(Options|Telemetry|Limits|Settings)$/;

/** The name of a referenced type, `""` for a qualified one. */
export function nameOf(type: TSType): string {
  return type.type === "TSTypeReference" && "name" in type.typeName ? type.typeName.name : "";
}

function membersOf(module: string, members: readonly unknown[]): readonly Member[] {
  const found: Member[] = [];
  for (const member of members as readonly MemberNode[]) {
    const name = member.key?.name;
    const isMethod = member.type === "TSMethodSignature";
    if (name === undefined || (!isMethod && member.type !== "TSPropertySignature")) continue;
    const type = isMethod
      ? ({ type: "TSFunctionType" } as TSType)
      : member.typeAnnotation?.typeAnnotation;
    const isRequired = member.optional !== true && !mayBeUndefined(type);
    found.push({ module, name, isRequired, type });
  }
  return found;
}

function mayBeUndefined(type: TSType | undefined): boolean {
  return (
    type?.type === "TSUnionType" && type.types.some((each) => each.type === "TSUndefinedKeyword")
  );
}

interface MemberNode {
  readonly type: string;
  readonly optional?: boolean;
  readonly key?: { readonly name?: string };
  readonly typeAnnotation?: { readonly typeAnnotation: TSType };
}

/** An object of the program with further members stays one. */
function narrowest(forms: readonly Form[]): readonly Form[] {
  if (forms.includes("handle")) return ["handle"];
  return forms.includes("group") ? ["group"] : forms;
}

function namesIn(type: TSType): readonly string[] {
  if (type.type === "TSUnionType") return type.types.flatMap(namesIn);
  return type.type === "TSLiteralType" && "value" in type.literal
    ? [String(type.literal.value)]
    : [];
}
