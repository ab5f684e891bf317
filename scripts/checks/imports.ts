/** The imports of a source, as the parser sees them: comments and strings have none. */
import { parseSync, Visitor, type Node } from "oxc-parser";

/** An import, a re-export, or a module that is loaded later. */
export interface Import {
  /** The module as the source names it. */
  readonly name: string;
  /** Whether the line above says why it may cross a boundary: `// @boundaries-ignore REASON`. */
  readonly isExempt: boolean;
}

/** Lists the imports of a source, of types as well. */
export function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const lines = text.split("\n");
  const add = (node: Node, source: Node | null): void => {
    if (source?.type !== "Literal" || typeof source.value !== "string") return;
    const line = text.slice(0, node.start).split("\n").length - 1;
    const isExempt = /^\s*\/\/ @boundaries-ignore \S/.test(lines[line - 1] ?? "");
    found.push({ name: source.value, isExempt });
  };
  const visitor = new Visitor({
    ImportDeclaration: (node) => add(node, node.source),
    ExportAllDeclaration: (node) => add(node, node.source),
    ExportNamedDeclaration: (node) => add(node, node.source),
    ImportExpression: (node) => add(node, node.source),
    TSImportType: (node) => add(node, node.source),
  });
  visitor.visit(parseSync("source.tsx", text, { lang: "tsx" }).program);
  return found;
}
