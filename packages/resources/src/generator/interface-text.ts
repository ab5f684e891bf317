import { defaultTag, docComment } from "./doc-comment.ts";
import { memberName, pascalCase } from "./identifiers.ts";
import type { Schema } from "./schema.ts";
import { typeText, type TypeNames } from "./type-text.ts";

/**
 * The declaration of an interface, with the documentation of the schema. Members of `fixed` have
 * that type and are required, whatever the schema says of them; they come first where it says
 * nothing.
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
    // Not `fixed[key]`: a member may be named "constructor".
    const type = Object.hasOwn(fixed, key)
      ? fixed[key]!
      : typeText(value, name + pascalCase(key), names);
    const comment = docComment(value.description, "  ", tags);
    // What is absent in JSON may be `undefined` in a program, also for its strictest compiler.
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
