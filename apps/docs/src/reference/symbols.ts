import {
  type Comment,
  type DeclarationReflection,
  ReflectionKind,
  type SignatureReflection,
  type TypeParameterReflection,
} from "typedoc";
import { membersOf, propertyTable, shapeTable } from "./members.ts";
import { optionsOf } from "./options.ts";
import { literalsOf, type Shape, shapesOf } from "./shapes.ts";
import { escapeText, type PageText } from "./text.ts";

/** A heading of a page, for its table of contents. */
export interface Heading {
  readonly depth: number;
  readonly slug: string;
  readonly text: string;
}

/** Writes the symbols of one page as Markdown. */
export class SymbolWriter {
  readonly headings: Heading[] = [];
  readonly #text: PageText;
  readonly #written = new Set<DeclarationReflection>();

  constructor(text: PageText) {
    this.#text = text;
  }

  /** The symbols of the page, each after the one that takes it as options. */
  write(): string {
    return join(this.#text.page.symbols.map((symbol) => this.#symbol(symbol)));
  }

  /** Description, declaration, options, members and methods of a symbol. */
  #symbol(symbol: DeclarationReflection): string {
    if (this.#written.has(symbol)) return "";
    this.#written.add(symbol);
    if (symbol === this.#text.page.main) {
      return join([
        this.#declaration(symbol),
        ...this.#shapes(symbol),
        ...this.#options(symbol),
        ...this.#members(symbol),
      ]);
    }
    return join([
      this.#heading(2, symbol.name, symbol.name),
      this.#declaration(symbol),
      ...this.#shapes(symbol),
      ...this.#members(symbol),
      ...this.#options(symbol),
    ]);
  }

  #members(symbol: DeclarationReflection): readonly string[] {
    const isMain = symbol === this.#text.page.main;
    const properties = shapesOf(symbol.type) === undefined ? propertyTable(this.#text, symbol) : "";
    const methods = membersOf(symbol).filter(({ kind }) => kind === ReflectionKind.Method);
    const title = (text: string): string =>
      this.#heading(2, text, `${symbol.name}.${text.toLowerCase()}`);
    const isClass = symbol.kind === ReflectionKind.Class;
    return [
      isMain && isClass && properties !== "" ? title("Properties") : "",
      properties,
      isMain && methods.length > 0 ? title("Methods") : "",
      ...methods.map((method) => this.#method(symbol, method)),
      this.#inherited(symbol),
    ];
  }

  #options(symbol: DeclarationReflection): readonly string[] {
    const { symbols } = this.#text.page;
    return [symbol, ...(symbol.children ?? [])]
      .filter(({ kind }) => kind !== ReflectionKind.Method)
      .flatMap((callable) => optionsOf(callable))
      .filter((options) => symbols.includes(options))
      .map((options) => this.#symbol(options));
  }

  #heading(depth: number, text: string, slug: string): string {
    this.headings.push({ depth, slug, text });
    return `<h${depth} id="${slug}">${escapeText(text)}</h${depth}>`;
  }

  #declaration(symbol: DeclarationReflection): string {
    const { comment, kind, name, signatures = [] } = symbol;
    if (kind === ReflectionKind.Function) {
      return join(signatures.map((signature) => this.#signature(signature)));
    }
    const create = symbol.children?.find((member) => member.kind === ReflectionKind.Constructor);
    const news = create?.signatures ?? [];
    const lines = [
      declarationOf(symbol),
      ...news.map((signature) => callOf(signature, `new ${name}`)),
      ...signatures.map((signature) => callOf(signature, name)),
    ];
    return join([
      this.#described(comment, lines, name),
      this.#blocks(comment),
      ...[...news, ...signatures].flatMap((signature) => [
        this.#summary(signature.comment),
        this.#details(signature),
      ]),
    ]);
  }

  #method(owner: DeclarationReflection, method: DeclarationReflection): string {
    const signatures = (method.signatures ?? []).map((signature) => this.#signature(signature));
    const heading = this.#heading(3, `${method.name}()`, `${owner.name}.${method.name}`);
    return [heading, ...signatures].join("\n\n");
  }

  #signature(signature: SignatureReflection): string {
    const name = `${signature.parent.flags.isStatic ? "static " : ""}${signature.name}`;
    return join([
      this.#described(signature.comment, [callOf(signature, name)]),
      this.#details(signature),
    ]);
  }

  /** Description and program of a comment, with the declaration between them. */
  #described(comment: Comment | undefined, lines: readonly string[], own?: string): string {
    const isPlain = lines.length === 1 && /^(interface|type) \w+$/.test(lines[0]!);
    const code = lines.map((line) => this.#text.code(line, own)).join("\n");
    const [description = "", ...rest] = this.#summary(comment).split(/\n(?=```)/);
    return join([
      description,
      isPlain ? "" : `<div class="signature"><code>${code}</code></div>`,
      rest.join("\n"),
    ]);
  }

  #summary(comment: Comment | undefined): string {
    return this.#text.comment(comment?.summary);
  }

  /** Parameters, result and errors, as far as the comment describes them. */
  #details(signature: SignatureReflection): string {
    const parameters = (signature.parameters ?? [])
      .map(({ comment, name }) => [name, this.#summary(comment)] as const)
      .filter(([, description]) => description !== "")
      .map(([name, description]) => `- \`${name}\`: ${description}`);
    return join([parameters.join("\n"), this.#blocks(signature.comment)]);
  }

  #blocks(comment: Comment | undefined): string {
    const returns = this.#text.tag(comment, "@returns");
    const errors = (comment?.getTags("@throws") ?? []).map(({ content, typeAnnotation = "" }) => {
      const name = typeAnnotation.replaceAll(/[{}\s]/g, "");
      return `Throws <code>${this.#text.code(name)}</code> ${this.#text.comment(content)}`;
    });
    return [...(returns === "" ? [] : [`Returns ${returns}`]), ...errors]
      .map((line) => `- ${line}`)
      .join("\n");
  }

  #shapes(symbol: DeclarationReflection): readonly string[] {
    const all = shapesOf(symbol.type) ?? [];
    return all.map((shape) => this.#shape(symbol, shape, all));
  }

  #shape(symbol: DeclarationReflection, shape: Shape, all: readonly Shape[]): string {
    const isVariant = (type: DeclarationReflection): boolean =>
      this.#text.addresses.isVariant(type, symbol);
    const variant = shape.types.find((type) => isVariant(type));
    const isFirst = all.find(({ types }) => types.includes(variant!)) === shape;
    const title = [
      ...(variant === undefined ? [] : [variant.name]),
      ...literalsOf(shape, all).map((member) => `${member.name}: ${String(member.type)}`),
    ];
    const id = variant !== undefined && isFirst ? ` id="${variant.name}"` : "";
    return join([
      `<p class="shape"${id}>${title.map((part) => `<code>${escapeText(part)}</code>`).join(" ")}</p>`,
      this.#text.comment(shape.summary),
      shapeTable(this.#text, shape),
    ]);
  }

  #inherited(symbol: DeclarationReflection): string {
    if (symbol.kind !== ReflectionKind.Class) return "";
    const links = (symbol.children ?? [])
      .filter(({ inheritedFrom, name }) => inheritedFrom?.reflection && name !== "constructor")
      .map((member) => `[\`${member.name}\`](${this.#text.addresses.of(member)})`);
    return links.length === 0 ? "" : `Inherited: ${links.join(", ")}`;
  }
}

function join(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** The first line of a declaration. */
function declarationOf(symbol: DeclarationReflection): string {
  const name = symbol.name + typeParameters(symbol.typeParameters);
  if (symbol.kind === ReflectionKind.Variable) return `const ${name}: ${String(symbol.type)}`;
  if (symbol.kind === ReflectionKind.TypeAlias) return `type ${name}${aliasOf(symbol)}`;
  const bases = symbol.extendedTypes?.map(String).join(", ");
  const interfaces = symbol.implementedTypes?.map(String).join(", ");
  const keyword = symbol.kind === ReflectionKind.Class ? "class" : "interface";
  return `${keyword} ${name}${bases ? ` extends ${bases}` : ""}${interfaces ? ` implements ${interfaces}` : ""}`;
}

/** The definition of a type, unless tables show it. */
function aliasOf({ type }: DeclarationReflection): string {
  if (type?.type === "reflection" && type.declaration.children !== undefined) return "";
  const areInline = type?.type === "union" && type.types.some((part) => part.type === "reflection");
  return areInline && shapesOf(type) !== undefined ? "" : ` = ${String(type)}`;
}

function callOf(signature: SignatureReflection, name: string): string {
  const isNew = signature.kind === ReflectionKind.ConstructorSignature;
  const parameters = (signature.parameters ?? []).map(
    ({ flags, defaultValue, name: key, type }) => {
      const isOptional = flags.isOptional || defaultValue !== undefined;
      return `${flags.isRest ? "..." : ""}${key}${isOptional ? "?" : ""}: ${String(type)}`;
    },
  );
  const result = isNew ? "" : `: ${String(signature.type)}`;
  const generics = isNew ? "" : typeParameters(signature.typeParameters);
  return `${name}${generics}(${parameters.join(", ")})${result}`;
}

function typeParameters(parameters: readonly TypeParameterReflection[] | undefined): string {
  if (parameters === undefined) return "";
  const written = parameters.map(({ default: value, name, type }) => {
    const constraint = type === undefined ? "" : ` extends ${String(type)}`;
    return `${name}${constraint}${value === undefined ? "" : ` = ${String(value)}`}`;
  });
  return `<${written.join(", ")}>`;
}
