/** Puts the code that a page shows together to programs that a compiler can read. */
import { fencesIn, titleOf, type Fence } from "../../tests/support/fences.ts";

/** A line of a program, and the line of the page that it comes from, counted from 1. */
interface Line {
  readonly text: string;
  readonly origin: number;
}

/** A fence that is not compiled, and why. */
export interface Exempt {
  readonly line: number;
  readonly reason: string;
}

export interface PagePrograms {
  /** Lines of TypeScript modules, each complete in itself. */
  readonly programs: readonly (readonly Line[])[];
  /** How many fences they hold. */
  readonly compiled: number;
  /** Fences that say `uncompiled="REASON"`. */
  readonly exempt: readonly Exempt[];
}

/** A piece of code in a page: a fence, an example that the page shows, or a hidden declaration. */
interface Piece {
  readonly line: number;
  /** Whether it is complete, so that it needs nothing of earlier ones. */
  readonly isWhole: boolean;
  readonly imports: readonly Import[];
  readonly body: readonly Line[];
}

interface Import {
  readonly origin: number;
  readonly module: string;
  /** Each with what it imports, such as `{ pods }` or `* as net`, by the name that it gets. */
  readonly names: ReadonlyMap<string, string>;
}

const importStatement = /^import\s+(?:([^"]*?)\s+from\s+)?"([^"]+)";[^\n]*$/gm;

/** Splits an import clause into one clause for each name. */
function namesIn(clause: string): Map<string, string> {
  const names = new Map<string, string>();
  const typeOnly = /^type\s/.test(clause) ? "type " : "";
  const [, list] = /\{([^}]*)\}/.exec(clause) ?? [];
  for (const part of (list ?? "").split(",")) {
    const text = part.trim();
    if (text !== "") names.set(text.split(/\s/).at(-1)!, `{ ${typeOnly}${text} }`);
  }
  const rest = clause.replace(/^type\s+(?!,)/, "").replace(/,?\s*\{[^}]*\}/, "");
  for (const part of rest.split(",")) {
    const text = part.trim();
    if (text !== "") names.set(text.split(/\s/).at(-1)!, text);
  }
  return names;
}

/** Takes code apart into its imports and the rest, whose lines keep their places. */
function pieceOf(
  code: string,
  line: number,
  originOf: (index: number) => number,
  isWhole = false,
): Piece {
  const imports: Import[] = [];
  const rest = code.replaceAll(importStatement, (statement, clause = "", module, offset) => {
    const index = code.slice(0, Number(offset)).split("\n").length - 1;
    imports.push({ origin: originOf(index), module, names: namesIn(String(clause)) });
    return "\n".repeat(statement.split("\n").length - 1);
  });
  // A block can hold all of a module but its imports and exports.
  const lines = rest.split("\n").map((text, index) => ({
    text: text.replace(/^export (?=[a-z])(?!default)/, ""),
    origin: originOf(index),
  }));
  return { line, isWhole, imports, body: lines };
}

const isCode = ({ language }: Fence): boolean => /^(?:ts|js)$/.test(language);
/** Readers see by the title that a block of code is not complete. */
const isPart = (fence: Fence): boolean => titleOf(fence) === "Part of a program";
const exampleTag = /<LiveExample name="([^"]+)"[^>]*\/>/g;
const hiddenCode = /(?:\{\/\*|<!--) compiled with: (.*) (?:\*\/\}|-->)/g;

/** Where a match begins, as a line counted from 1. */
function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}

/** A program made of pieces: each is in a block inside of the one before, and may hide its names. */
function compose(pieces: readonly Piece[]): readonly Line[] {
  const imported = new Set<string>();
  const imports = pieces
    .flatMap((piece) => piece.imports)
    .flatMap(({ origin, module, names }) => {
      if (names.size === 0) return [{ text: `import "${module}";`, origin }];
      const fresh = [...names].filter(([name]) => !imported.has(name));
      for (const [name] of fresh) imported.add(name);
      return fresh.map(([, clause]) => ({ text: `import ${clause} from "${module}";`, origin }));
    });
  const last = pieces.at(-1)?.line ?? 1;
  return [
    ...imports,
    ...pieces.flatMap(({ line, body }) => [{ text: "{", origin: line }, ...body]),
    { text: "}".repeat(pieces.length), origin: last },
    { text: "export {};", origin: last },
  ];
}

const declaration =
  /^(?:declare )?(?:abstract )?(?:async )?(?:const|let|var|function\*?|class|interface|type|enum) (?:(\w+)|\{([^}]*)\})/;

/** The names that code declares, but for those that a pattern of several lines takes apart. */
function declaredNames({ body }: Piece): string[] {
  return body.flatMap(({ text }) => {
    const [, name, pattern] = declaration.exec(text) ?? [];
    if (name !== undefined) return [name];
    return (pattern ?? "").split(",").map((part) => part.split(":").at(-1)!.trim());
  });
}

/** Whether a piece imports a name that an earlier one declares, or has from another place. */
function beginsProgram(piece: Piece, earlier: readonly Piece[]): boolean {
  const declared = new Set(earlier.flatMap(declaredNames));
  const known = new Map(
    earlier
      .flatMap(({ imports }) => imports)
      .flatMap(({ module, names }) =>
        [...names].map(([name, clause]) => [name, clause.replace("type ", "") + module] as const),
      ),
  );
  return piece.imports.some(({ module, names }) =>
    [...names].some(([name, clause]) => {
      const other = declared.has(name) ? "" : known.get(name);
      return other !== undefined && other !== clause.replace("type ", "") + module;
    }),
  );
}

/**
 * The programs of a page. A fence sees what the fences and the examples before it declare, and may
 * declare it again. One that imports a name which an earlier one declares, or has from another
 * package, begins another program. With `marksParts`, so does each fence that is not marked as a
 * part by its title. `exampleText` reads an example by its name.
 */
export function pagePrograms(
  markdown: string,
  exampleText: (name: string) => string,
  { marksParts = false }: { readonly marksParts?: boolean } = {},
): PagePrograms {
  const exempt: Exempt[] = [];
  const pieces: Piece[] = [];
  let compiled = 0;
  for (const fence of fencesIn(markdown).filter(isCode)) {
    const reason = /uncompiled="([^"]+)"/.exec(fence.attributes)?.[1];
    if (reason !== undefined) {
      exempt.push({ line: fence.line, reason });
      continue;
    }
    compiled++;
    const isWhole = marksParts && !isPart(fence);
    pieces.push(pieceOf(fence.text, fence.line, (index) => fence.line + 1 + index, isWhole));
  }
  for (const { 1: name = "", index } of markdown.matchAll(exampleTag)) {
    const line = lineAt(markdown, index);
    pieces.push(pieceOf(exampleText(name), line, () => line));
  }
  for (const { 1: code = "", index } of markdown.matchAll(hiddenCode)) {
    const line = lineAt(markdown, index);
    pieces.push(pieceOf(code, line, () => line));
  }
  const programs: Piece[][] = [];
  for (const piece of pieces.toSorted((a, b) => a.line - b.line)) {
    const current = programs.at(-1);
    const isFirst = current === undefined || piece.isWhole || beginsProgram(piece, current);
    if (isFirst) programs.push([piece]);
    else current.push(piece);
  }
  return { programs: programs.map(compose), compiled, exempt };
}
