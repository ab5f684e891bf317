/** Reads declaration files (`.d.ts`): the exports of a module, and the names in a declaration. */
import { parseSync, Visitor, type ClassBody, type ParseResult, type Statement } from "oxc-parser";

/** A declaration at the top of a module. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
}

/** The declaration behind an exported name, and whether a program can use it as a value. */
export interface ExportedDeclaration extends Declaration {
  readonly isValue: boolean;
}

export interface DeclarationFiles {
  read(file: string): string;
  /** Finds the file behind an import, or `undefined` for a module that is not ours. */
  resolve(source: string, from: string): string | undefined;
}

/** A name of another module, in an import or a re-export. */
interface Link {
  readonly source: string;
  readonly name: string;
}

interface DeclarationModule {
  readonly statements: ReadonlyMap<string, readonly Statement[]>;
  readonly imports: ReadonlyMap<string, Link>;
  readonly parsed: ParseResult;
}

function declarationIn(statement: Statement): Statement | null {
  return statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
}

function declaredNames(statement: Statement): string[] {
  const declaration = declarationIn(statement);
  if (declaration?.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? id.name : []));
  }
  if (declaration === null || !("id" in declaration) || declaration.id?.type !== "Identifier") {
    return [];
  }
  return [declaration.id.name];
}

function isValueStatement(statement: Statement): boolean {
  const type = declarationIn(statement)?.type;
  return type !== "TSInterfaceDeclaration" && type !== "TSTypeAliasDeclaration";
}

/** A class without its constructor and static members, which a type-only export leaves out. */
function withoutStatics(statement: Statement): Statement {
  if (statement.type === "ExportNamedDeclaration") {
    const { declaration } = statement;
    if (declaration?.type !== "ClassDeclaration") return statement;
    return { ...statement, declaration: { ...declaration, body: instanceBody(declaration.body) } };
  }
  if (statement.type !== "ClassDeclaration") return statement;
  return { ...statement, body: instanceBody(statement.body) };
}

function instanceBody(body: ClassBody): ClassBody {
  const members = body.body.filter(
    (member) =>
      !("static" in member && member.static) &&
      !(member.type === "MethodDefinition" && member.kind === "constructor"),
  );
  return { ...body, body: members };
}

function parseModule(file: string, text: string): DeclarationModule {
  const parsed = parseSync(file, text);
  const statements = new Map<string, Statement[]>();
  for (const statement of parsed.program.body) {
    for (const name of declaredNames(statement)) {
      statements.set(name, [...(statements.get(name) ?? []), statement]);
    }
  }
  const imports = parsed.module.staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.flatMap(({ importName, localName }) =>
      importName.name === null
        ? []
        : [[localName.value, { source: moduleRequest.value, name: importName.name }] as const],
    ),
  );
  return { statements, imports: new Map(imports), parsed };
}

interface EntityName {
  readonly type: string;
  readonly name?: string;
  readonly left?: EntityName;
}

/** The first name of `a.b.c`, or `undefined` for what is not a name. */
function firstName({ type, name, left }: EntityName): string | undefined {
  if (type === "TSQualifiedName") return left && firstName(left);
  return type === "Identifier" ? name : undefined;
}

/** The names and imported types in a statement, without its type parameters. */
function namesIn(statement: Statement, program: ParseResult["program"]): (string | Link)[] {
  const names = new Set<string>();
  const links: Link[] = [];
  const parameters = new Set<string>();
  const add = (entity: object): void => {
    const name = firstName(entity as EntityName);
    if (name !== undefined) names.add(name);
  };
  new Visitor({
    TSTypeReference: ({ typeName }) => add(typeName),
    TSTypeQuery: ({ exprName }) => add(exprName),
    TSClassImplements: ({ expression }) => add(expression),
    TSInterfaceHeritage: ({ expression }) => add(expression),
    ClassDeclaration: ({ superClass }) => void (superClass !== null && add(superClass)),
    TSTypeParameter: ({ name }) => void parameters.add(name.name),
    TSMappedType: ({ key }) => void parameters.add(key.name),
    TSImportType({ source, qualifier }) {
      const name = qualifier === null ? undefined : firstName(qualifier);
      if (name !== undefined) links.push({ source: source.value, name });
    },
  }).visit({ ...program, body: [statement] });
  return [...[...names].filter((name) => !parameters.has(name)), ...links];
}

/** The modules behind declaration files. Each file is read once. */
export class Declarations {
  readonly #files: DeclarationFiles;
  readonly #modules = new Map<string, DeclarationModule>();

  constructor(files: DeclarationFiles) {
    this.#files = files;
  }

  /** Lists the names that a module exports. */
  exportsOf(file: string): ReadonlyMap<string, ExportedDeclaration> {
    const exported = new Map<string, ExportedDeclaration>();
    for (const { entries } of this.#module(file).parsed.module.staticExports) {
      for (const { moduleRequest, importName, exportName, localName, isType } of entries) {
        const source = moduleRequest?.value;
        // `export * from`
        if (source !== undefined && exportName.name === null) {
          for (const [name, each] of this.#exportsBehind(source, file)) exported.set(name, each);
          continue;
        }
        const name = exportName.name ?? "";
        const found =
          source === undefined
            ? this.find(localName.name ?? name, file)
            : this.#follow({ source, name: importName.name ?? "" }, file);
        if (found === undefined) continue;
        // The parser calls every declaration of a declaration file a type.
        const isTypeOnly = isType && (source !== undefined || !this.#isExportedInPlace(file, name));
        exported.set(name, { ...found, isValue: found.isValue && !isTypeOnly });
      }
    }
    return exported;
  }

  /** Finds the declaration of a name that a module declares or imports. */
  find(name: string, file: string): ExportedDeclaration | undefined {
    const { statements, imports } = this.#module(file);
    const own = statements.get(name);
    if (own !== undefined) return { file, name, isValue: own.some(isValueStatement) };
    const link = imports.get(name);
    return link && this.#follow(link, file);
  }

  /** Lists our declarations that a declaration names. */
  referencesOf({ file, name, isValue }: ExportedDeclaration): readonly Declaration[] {
    const { statements, parsed } = this.#module(file);
    return (statements.get(name) ?? [])
      .map((statement) => (isValue ? statement : withoutStatics(statement)))
      .flatMap((statement) => namesIn(statement, parsed.program))
      .map((each) => (typeof each === "string" ? this.find(each, file) : this.#follow(each, file)))
      .filter((each) => each !== undefined);
  }

  #isExportedInPlace(file: string, name: string): boolean {
    const statements = this.#module(file).statements.get(name) ?? [];
    return statements.some(({ type }) => type === "ExportNamedDeclaration");
  }

  #exportsBehind(source: string, from: string): ReadonlyMap<string, ExportedDeclaration> {
    const file = this.#files.resolve(source, from);
    return file === undefined ? new Map() : this.exportsOf(file);
  }

  #follow({ source, name }: Link, from: string): ExportedDeclaration | undefined {
    return this.#exportsBehind(source, from).get(name);
  }

  #module(file: string): DeclarationModule {
    const known = this.#modules.get(file);
    if (known !== undefined) return known;
    const read = parseModule(file, this.#files.read(file));
    this.#modules.set(file, read);
    return read;
  }
}
