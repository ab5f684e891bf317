/** Reads the options of all exported classes and functions from the API reports in `etc`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, type TSType } from "oxc-parser";
import { nameOf, Shapes, type Form } from "./api-shapes.ts";

export interface ReadOption {
  readonly forms: ReadonlySet<Form>;
  /** Whether it must be given, as soon as the group that it is in is. */
  readonly isRequired: boolean;
}

/** A function, constructor or method that takes options. */
export interface OptionsTaker {
  /**
   * `function`, `Class` for a constructor, or `Class.method`; with the parameter in brackets if
   * several have options.
   */
  readonly name: string;
  /** Options by path, such as `limits.timeoutMs`. Groups have paths as well. */
  readonly options: ReadonlyMap<string, ReadOption>;
}

interface Parameter {
  readonly name: string;
  readonly type: TSType | undefined;
}

/** Options of errors are not checked: an error in their place would hide what is reported. */
const optionsName =
  /^(?!Error|StatusError|ApiError|ListwatchError)(\w*(Options|Selection)|ClusterConfig|ConnectionConfig)$/;

class Reader {
  readonly #shapes = new Shapes();
  readonly #exported = new Set<string>(["listen"]);
  readonly #found = new Map<string, Map<string, ReadOption>>();

  read(text: string): void {
    // Entries for our packages have no options of users.
    const entries = text
      .split(/^(?=\/\/ \S+\.ts$)/m)
      .filter((part) => !/^\/\/ base(\/index)?\.ts/.test(part));
    for (const [, list = ""] of entries.join("").matchAll(/^export (?:type )?\{([^}]*)\}/gm)) {
      for (const [name] of list.matchAll(/\w+(?=\s*(?:,|$))/g)) this.#exported.add(name);
    }
  }

  readModule(module: string, text: string): void {
    this.#shapes.read(module, text);
  }

  takersIn(module: string, text: string): void {
    const { program } = parseSync("api.d.ts", text);
    for (const statement of program.body) {
      if (statement.type !== "ExportNamedDeclaration") continue;
      const { declaration } = statement;
      if (declaration?.type === "TSDeclareFunction")
        this.#add(module, declaration.id!.name, declaration.params);
      if (declaration?.type !== "ClassDeclaration") continue;
      const of = declaration.id!.name;
      for (const member of declaration.body.body) {
        if (member.type !== "MethodDefinition" && member.type !== "TSAbstractMethodDefinition")
          continue;
        const { key, value } = member;
        if (key.type !== "Identifier") continue;
        this.#add(module, key.name === "constructor" ? of : `${of}.${key.name}`, value.params);
      }
    }
  }

  get takers(): readonly OptionsTaker[] {
    return [...this.#found]
      .map(([name, options]) => ({ name, options }))
      .filter(({ name }) => this.#exported.has(/^\w+/.exec(name)![0]));
  }

  /** Overloads have their options together. */
  #add(module: string, name: string, parameters: readonly unknown[]): void {
    const found = parameters
      .map((parameter) => parameterOf(parameter))
      .map(({ name: of, type }) => ({ of, options: this.#optionsIn(module, type) }))
      .filter(({ options }) => options.length > 0);
    for (const { of, options } of found) {
      const key = found.length > 1 ? `${name}(${of})` : name;
      this.#found.set(key, new Map([...(this.#found.get(key) ?? []), ...options]));
    }
  }

  /** The options in the type of a parameter; none if it is not an options object. */
  #optionsIn(module: string, type: TSType | undefined): readonly [string, ReadOption][] {
    return type === undefined || !this.#isOptions(module, type)
      ? []
      : this.#optionsOf(module, type, "");
  }

  #optionsOf(module: string, type: TSType, group: string): [string, ReadOption][] {
    const options: [string, ReadOption][] = [];
    for (const { isRequired, module: from, name, type: of } of this.#shapes.members(module, type)) {
      const forms = new Set(this.#shapes.forms(from, of));
      options.push([group + name, { forms, isRequired }]);
      if (of !== undefined && forms.has("group"))
        options.push(...this.#optionsOf(from, of, `${group}${name}.`));
    }
    return options;
  }

  #isOptions(module: string, type: TSType): boolean {
    if (type.type === "TSIntersectionType")
      return type.types.some((each) => this.#isOptions(module, each));
    if (type.type === "TSTypeLiteral")
      return this.#shapes
        .members(module, type)
        .some(({ name }) => name === "signal" || name === "token");
    const name = nameOf(type);
    if ((name === "Pick" || name === "Omit") && type.type === "TSTypeReference")
      return this.#isOptions(module, type.typeArguments!.params[0]!);
    return optionsName.test(name);
  }
}

function parameterOf(parameter: unknown): Parameter {
  const { left = parameter } = parameter as { left?: unknown };
  const { name = "options", typeAnnotation } = left as {
    name?: string;
    typeAnnotation?: { typeAnnotation: TSType };
  };
  return { name, type: typeAnnotation?.typeAnnotation };
}

/** The modules of a report with their names, each after a line such as `// verbs/client.ts`. */
function modulesIn(file: string, text: string): readonly (readonly [string, string])[] {
  return text.split(/^(?=\/\/ \S+\.ts$)/m).map((part) => {
    const [, name = ""] = /^\/\/ (\S+\.ts)$/m.exec(part) ?? [];
    return [`${file}/${name}`, part] as const;
  });
}

/** The exported functions, constructors and methods that take options, with all their options. */
export function readOptionsTakers(folder = "etc"): readonly OptionsTaker[] {
  const reader = new Reader();
  const modules = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    reader.read(text);
    return modulesIn(file, text);
  });
  for (const [module, text] of modules) reader.readModule(module, text);
  for (const [module, text] of modules) reader.takersIn(module, text);
  return reader.takers;
}
