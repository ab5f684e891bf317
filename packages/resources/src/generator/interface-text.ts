import { memberName, pascalCase } from "./identifiers.ts";
import type { Schema } from "./read-schema.ts";
import { typeText, type TypeNames } from "./type-text.ts";

/**
 * Returns the declaration of an interface, documented by the schema. Members in `fixed` have that
 * type and are required, whatever the schema states; they come first if it lacks them.
 */
export function interfaceText(
  name: string,
  schema: Schema,
  names: TypeNames,
  fixed: Readonly<Record<string, string>> = {},
): string {
  const described = schema.properties ?? {};
  const missing = Object.keys(fixed).filter((key) => !Object.hasOwn(described, key));
  const properties: (readonly [string, Schema])[] = [
    ...missing.map((key) => [key, {}] as const),
    ...Object.entries(described),
  ];
  const required = new Set([...(schema.required ?? []), ...Object.keys(fixed)]);
  const members = properties.map(([key, value]) => {
    const tags = value.default === undefined ? [] : [defaultTag(value.default)];
    // Not `fixed[key]`, since a member may be named "constructor".
    const type = Object.hasOwn(fixed, key)
      ? fixed[key]!
      : typeText(value, name + pascalCase(key), names);
    const comment = docComment(value.description, "  ", tags);
    // `undefined` stands for an absent member, also with `exactOptionalPropertyTypes`.
    const member = required.has(key)
      ? `${memberName(key)}: ${type}`
      : `${memberName(key)}?: ${type === "unknown" ? type : `${type} | undefined`}`;
    return `${comment}  ${member};\n`;
  });
  if (isOpen(schema)) members.push("  [field: string]: unknown;\n");
  return `${docComment(schema.description, "")}export interface ${name} {\n${members.join("")}}\n`;
}

/** Whether an object may have members that its schema does not name. */
function isOpen(schema: Schema): boolean {
  return (
    schema["x-kubernetes-preserve-unknown-fields"] === true ||
    schema["x-kubernetes-embedded-resource"] === true ||
    schema.additionalProperties === true
  );
}

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
function defaultTag(value: unknown): string {
  const text = JSON.stringify(value);
  return `@default ${text.length > 80 ? "see the schema" : text}`;
}
