import { compareBytes, goNumber, goQuote } from "./go-text.ts";

/** Formats a JSON value like Go's `%v`: `map[a:1 b:[x y] c:<nil>]`. */
export function goPrint(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return goNumber(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "object" || value === null) return "<nil>";
  if (Array.isArray(value)) return `[${value.map(goPrint).join(" ")}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  return `map[${entries.map(([key, entry]) => `${key}:${goPrint(entry)}`).join(" ")}]`;
}

/** Formats the type of a decoded JSON value like Go's `%T`. */
export function goPrintType(value: unknown): string {
  if (value === null || value === undefined) return "%!s(<nil>)";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "map[string]interface {}" : "string";
}

/** Formats a JSON value like Go's `%#v`, as a Go expression. */
export function goSyntax(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(", ")}}`;
  if (typeof value !== "object") return goPrint(value);
  if (value === null) return "interface {}(nil)";
  const entries = Object.entries(value).toSorted(([a], [b]) => compareBytes(a, b));
  const members = entries.map(([name, member]) => `${goQuote(name)}:${goSyntax(member)}`);
  return `map[string]interface {}{${members.join(", ")}}`;
}
