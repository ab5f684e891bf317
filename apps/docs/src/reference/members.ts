import { type CommentDisplayPart, type DeclarationReflection, ReflectionKind } from "typedoc";
import { groupOf, isOptions, targetOf } from "./options.ts";
import { literalsOf, type Shape } from "./shapes.ts";
import { escapeText, type PageText } from "./text.ts";

const units: readonly (readonly [RegExp, RegExp, string])[] = [
  [/Ms$/, /\bin milliseconds\b/, "milliseconds"],
  [/Seconds$/, /\bin seconds\b/, "seconds"],
  [/Bytes$/, /\bin bytes\b/, "bytes"],
];

interface Row {
  readonly path: string;
  readonly member: DeclarationReflection;
}

/** Members that a table shows: all but methods. */
function isRow({ kind }: DeclarationReflection): boolean {
  return kind === ReflectionKind.Property || kind === ReflectionKind.Accessor;
}

/** The properties of a type as one table, in which the members of groups of options have rows. */
export function propertyTable(text: PageText, owner: DeclarationReflection): string {
  const members = membersOf(owner).filter((member) => isRow(member));
  const hasOptions = isOptions(owner);
  const rows = members.flatMap((member) =>
    hasOptions ? flatten(member) : [{ path: member.name, member }],
  );
  return table(text, rows, { anchor: `${owner.name}.`, hasOptions });
}

/** The members of a form of a union, but those that its title shows. */
export function shapeTable(text: PageText, shape: Shape): string {
  const literals = literalsOf(shape);
  const rows = shape.members
    .filter((member) => !literals.includes(member))
    .map((member) => ({ path: member.name, member }));
  return table(text, rows, { hasOptions: false });
}

/** Members that the page of the owner describes. */
export function membersOf(owner: DeclarationReflection): readonly DeclarationReflection[] {
  if (owner.kind === ReflectionKind.Variable) return [];
  const isClass = owner.kind === ReflectionKind.Class;
  const isError = isClass && owner.name.endsWith("Error");
  const { children = [] } = owner.type?.type === "reflection" ? owner.type.declaration : owner;
  return children.filter(({ inheritedFrom, name }) => {
    // A base class that has a page describes its members there, and an error is named as its class.
    const isElsewhere = isClass && inheritedFrom?.reflection !== undefined;
    return !isElsewhere && !(isError && name === "name");
  });
}

function flatten(member: DeclarationReflection, before = ""): readonly Row[] {
  const path = before + member.name;
  const inner = groupOf(member)?.members ?? [];
  return [{ path, member }, ...inner.flatMap((option) => flatten(option, `${path}.`))];
}

function table(
  text: PageText,
  rows: readonly Row[],
  { anchor, hasOptions }: { readonly anchor?: string; readonly hasOptions: boolean },
): string {
  if (rows.length === 0) return "";
  const titles = [hasOptions ? "Option" : "Property", "Type", ...(hasOptions ? ["Default"] : [])];
  const head = [...titles, "Description"].map((title) => `<th scope="col">${title}</th>`);
  const body = rows.map(({ path, member }) => row(text, { path, member }, { anchor, hasOptions }));
  return `<table class="members"><thead><tr>${head.join("")}</tr></thead><tbody>\n${body.join("\n")}\n</tbody></table>`;
}

function row(
  text: PageText,
  { path, member }: Row,
  { anchor, hasOptions }: { readonly anchor: string | undefined; readonly hasOptions: boolean },
): string {
  const { type } = member.getSignature ?? member;
  const mark = !hasOptions && member.flags.isOptional ? "?" : "";
  const name = `<code>${path.replaceAll(".", ".<wbr>")}${mark}</code>`;
  const description = text.comment(summaryOf(member));
  const id = anchor === undefined ? undefined : anchor + path;
  const title = id === undefined ? name : `<a href="#${id}">${name}</a>`;
  const unit = unitOf(member, description);
  return [
    `<tr${id === undefined ? "" : ` id="${id}"`}><th scope="row">${title}</th>`,
    `<td class="type"><code>${text.type(type)}</code>${unit && ` <span>${unit}</span>`}</td>`,
    ...(hasOptions ? [defaultCell(text, member)] : []),
    `<td class="text">\n\n${description}\n\n</td></tr>`,
  ].join("");
}

/** The comment of a member, or else the beginning of that of its type. */
function summaryOf(member: DeclarationReflection): readonly CommentDisplayPart[] {
  const { comment, type } = member.getSignature ?? member;
  const inner = type?.type === "reflection" ? type.declaration.signatures?.[0] : targetOf(type);
  const own = comment?.summary ?? [];
  return own.length > 0 ? own : (inner?.comment?.getShortSummary(true) ?? []);
}

function unitOf({ name, type }: DeclarationReflection, description: string): string {
  if (!/\b(number|bigint)\b/.test(type?.toString() ?? "")) return "";
  const found = units.find(([suffix, words]) => suffix.test(name) || words.test(description));
  return found?.[2] ?? "";
}

const isCode =
  /^(true|false|undefined|-?[\d_.]+|Infinity|"[^"]*"|\{\}|\[\]|new [\w.]+\(\)|[a-z]*[\w.]*[A-Z.][\w.]*(\(.*\))?)$/;

function defaultCell(text: PageText, { comment, flags }: DeclarationReflection): string {
  const value = text.tag(comment, "@default");
  if (value === "") return `<td>${flags.isOptional ? "" : "required"}</td>`;
  const html = isCode.test(value) ? `<code>${escapeText(value)}</code>` : inline(value);
  return `<td class="default${value.length > 20 ? " long" : ""}">${html}</td>`;
}

/** One line of Markdown as HTML. */
function inline(markdown: string): string {
  return escapeText(markdown)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, '<a href="$2">$1</a>');
}
