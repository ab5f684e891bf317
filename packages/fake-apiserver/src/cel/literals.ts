// Strings of all kinds, and comments, which may contain quotes.
const literals =
  /(?:[rR][bB]?|[bB][rR]?)?(?:'''(?:[^\\]|\\[^])*?'''|"""(?:[^\\]|\\[^])*?"""|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")|\/\/[^\n]*/g;

/** Returns an expression with the contents of strings and comments hidden, in the same places. */
export function hideLiterals(expression: string): string {
  return expression.replaceAll(literals, (literal) =>
    (literal.startsWith("//") ? " " : "_").repeat(literal.length),
  );
}
