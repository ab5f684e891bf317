/** Returns a doc comment of description and tags, or `""` without either. */
export function docComment(
  description: string | undefined,
  indent: string,
  tags: readonly string[] = [],
): string {
  const text = (description ?? "").replaceAll("\r\n", "\n").trim();
  const parts = [...(text === "" ? [] : [text]), ...tags];
  if (parts.length === 0) return "";
  const lines = parts
    .join("\n\n")
    // A description must not end the comment.
    .replaceAll("*/", String.raw`*\/`)
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const inner = lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${indent}/**\n${inner}${indent} */\n`;
}

/** The tag with the default value, or a reference to the schema if that is long. */
export function defaultTag(value: unknown): string {
  const text = JSON.stringify(value);
  return `@default ${text.length > 80 ? "see the schema" : text}`;
}
