/** A name that a program imports. */
export interface ImportedName {
  readonly name: string;
  readonly isType: boolean;
  /** Position of the name in the program. */
  readonly at: number;
  /** The name as the program writes it, with `as` but without `type`. */
  readonly text: string;
}

/** An import of names, such as `import { pods, type Pod } from "listwatch/resources/core/v1";`. */
export interface NamedImport {
  readonly module: string;
  readonly names: readonly ImportedName[];
  readonly from: number;
  readonly to: number;
}

// At the start of a line, where formatters put them: not in the middle of a string or a comment.
const statement = /^import\s+(type\s+)?\{([^}]*)\}\s*from\s*(["'])([^"'\n]+)\3[ \t]*;?/gm;

/** Finds the imports of names. Others, such as `import * as all`, are left out. */
export function findImports(code: string): readonly NamedImport[] {
  return [...code.matchAll(statement)].map((match) => {
    const [text, type, list = "", , module = ""] = match;
    const names = namesIn(list, match.index + text.indexOf("{") + 1, type !== undefined);
    return { module, names, from: match.index, to: match.index + text.length };
  });
}

function namesIn(list: string, start: number, areTypes: boolean): ImportedName[] {
  const names: ImportedName[] = [];
  // A comment is as long afterwards, so that positions stay.
  const plain = list.replaceAll(/\/\/.*|\/\*[\s\S]*?\*\//g, (comment) =>
    " ".repeat(comment.length),
  );
  for (const { 0: part, index } of plain.matchAll(/[^,]+/g)) {
    const [, space = "", type, text = ""] =
      /^(\s*)(type\s+(?!as\b))?([\s\S]*?)\s*$/.exec(part) ?? [];
    if (text === "") continue;
    const at = start + index + space.length + (type?.length ?? 0);
    const name = text.split(/\s/, 1)[0] ?? text;
    names.push({ name, isType: areTypes || type !== undefined, at, text });
  }
  return names;
}

/** The line of a position, from 1. */
export function lineAt(code: string, at: number): number {
  return code.slice(0, at).split("\n").length;
}
