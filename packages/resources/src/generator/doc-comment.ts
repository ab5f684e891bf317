/**
 * A doc comment of a description, in its own lines, and of tags; the empty text if there is
 * neither.
 */
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
    // Nothing in a description may end the comment.
    .replaceAll("*/", String.raw`*\/`)
    .split("\n")
    .map((line) => line.trimEnd());
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const inner = lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("");
  return `${indent}/**\n${inner}${indent} */\n`;
}

/** The tag that says what the server fills in; on one line, and short. */
export function defaultTag(value: unknown): string {
  const text = JSON.stringify(value);
  return `@default ${text.length > 80 ? "see the schema" : text}`;
}
