const identifier = /^[A-Za-z_$][\w$]*$/;
// Reserved words that could be the plural of a kind, and two names that CommonJS reserves.
const reservedWords = new Set([
  ...["arguments", "await", "break", "case", "catch", "class", "const", "continue", "debugger"],
  ...["default", "delete", "do", "else", "enum", "eval", "export", "extends", "false", "finally"],
  ...["for", "function", "if", "implements", "import", "in", "instanceof", "interface", "let"],
  ...["new", "null", "package", "private", "protected", "public", "return", "static", "super"],
  ...["switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while"],
  ...["with", "yield", "exports", "require"],
]);

/** Returns a member's name as it is written in an interface, quoted where necessary. */
export function memberName(name: string): string {
  return identifier.test(name) ? name : JSON.stringify(name);
}

/** Converts to PascalCase: `matchLabels` and `match-labels` become `MatchLabels`. */
export function pascalCase(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const text = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join("");
  return /^\d/.test(text) ? `_${text}` : text;
}

/** Returns a name for an element of a list: `User` for `users`, `Address` for `addresses`. */
export function elementName(name: string): string {
  if (/(?:ss|us|is)$/.test(name)) return `${name}Item`;
  if (/(?:ss|sh|ch|x)es$/.test(name)) return name.slice(0, -2);
  if (/[^aeiou]ies$/.test(name)) return `${name.slice(0, -3)}y`;
  return name.endsWith("s") ? name.slice(0, -1) : `${name}Item`;
}

/**
 * Converts the name of a resource into that of a constant: `config-maps` becomes `configMaps`.
 * Reserved words get an underscore at the end.
 */
export function constantName(plural: string): string {
  const name = pascalCase(plural);
  const first = plural.match(/^[A-Za-z]/) === null ? name : name[0]!.toLowerCase() + name.slice(1);
  return reservedWords.has(first) ? `${first}_` : first;
}
