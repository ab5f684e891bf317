import { isRecord } from "@listwatch/core-fifo/base";
import { goPrint, goPrintType, goSyntax } from "../base/go-print.ts";
import { shapeOf, type FieldType, type ListFields, type MapFields } from "./field-type.ts";
import { fieldElement, itemElement, printElement, type PathElement } from "./path-element.ts";

/** What does not fit a type, and where. */
export interface TypeProblem {
  /** As messages show it, such as `.spec.ports[port=80]`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Checks that what is applied fits its type: only declared fields, and lists whose items can be
 * told apart. Null fits every type.
 */
export function checkValue(value: unknown, type: FieldType): readonly TypeProblem[] {
  const problems: TypeProblem[] = [];
  check(value, type, "", problems);
  return problems;
}

function check(value: unknown, type: FieldType, path: string, problems: TypeProblem[]): void {
  if (value === null || value === undefined) return;
  switch (shapeOf(type, value)) {
    case "scalar":
      checkScalar(value, type, path, problems);
      break;
    case "list":
      if (type.list !== undefined) checkList(value, type.list, path, problems);
      break;
    case "map":
      if (type.map !== undefined) checkMap(value, type.map, path, problems);
      break;
  }
}

function checkScalar(
  value: unknown,
  { scalar }: FieldType,
  path: string,
  problems: TypeProblem[],
): void {
  switch (scalar) {
    case "numeric":
      if (typeof value === "number") return;
      problems.push({
        path,
        text: `expected numeric (int or float), got ${goPrintType(value)}`,
      });
      break;
    case "string":
      if (typeof value === "string") return;
      problems.push({
        path,
        text: `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`,
      });
      break;
    case "boolean":
      if (typeof value === "boolean") return;
      problems.push({ path, text: `expected boolean, got &{${goPrint(value)}}` });
      break;
    case "untyped":
    case undefined:
      if (typeof value !== "object") return;
      problems.push({ path, text: `expected any scalar, got &{${goPrint(value)}}` });
  }
}

function checkList(value: unknown, type: ListFields, path: string, problems: TypeProblem[]): void {
  if (!Array.isArray(value)) {
    problems.push({ path, text: `expected list, got &{${goPrint(value)}}` });
    return;
  }
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    let element: PathElement = `i:${index}`;
    if (type.keys !== undefined) {
      const found = itemElement(type, item);
      if ("problem" in found) {
        problems.push({ path, text: `element ${index}: ${found.problem}` });
        return;
      }
      element = found.element;
      if (seen.has(element)) {
        problems.push({ path, text: `duplicate entries for key ${printElement(element)}` });
      }
      seen.add(element);
    }
    check(item, type.item, path + printElement(element), problems);
  }
}

function checkMap(value: unknown, type: MapFields, path: string, problems: TypeProblem[]): void {
  if (!isRecord(value)) {
    problems.push({ path, text: `expected map, got &{${goPrint(value)}}` });
    return;
  }
  for (const name in value) {
    const member = type.fieldOf(name) ?? type.rest;
    const below = path + printElement(fieldElement(name));
    if (member === undefined) {
      problems.push({ path: below, text: "field not declared in schema" });
      return;
    }
    check(value[name], member, below, problems);
  }
}
