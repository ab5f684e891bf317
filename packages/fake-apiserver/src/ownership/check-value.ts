import { isRecord } from "@listwatch/core-fifo/base";
import { goPrint, goPrintType, goSyntax } from "../base/go-print.ts";
import { shapeOf, type FieldType, type ListFields, type MapFields } from "./field-type.ts";
import { fieldElement, itemElement, printElement, type PathElement } from "./path-element.ts";

/** A mismatch between value and type. */
export interface TypeProblem {
  /** Path as in messages: `.spec.ports[port=80]`. */
  readonly path: string;
  readonly text: string;
}

/**
 * Checks that an applied value fits its type: only declared fields, and lists with distinguishable
 * items. Null fits every type.
 */
export function checkValue(value: unknown, type: FieldType): readonly TypeProblem[] {
  const check = new ValueCheck();
  check.value(value, type);
  return check.problems;
}

class ValueCheck {
  readonly problems: TypeProblem[] = [];
  // Only formatted for problems.
  readonly #path: PathElement[] = [];

  value(value: unknown, type: FieldType): void {
    if (value === null || value === undefined) return;
    switch (shapeOf(type, value)) {
      case "scalar":
        this.#scalar(value, type);
        break;
      case "list":
        if (type.list !== undefined) this.#list(value, type.list);
        break;
      case "map":
        if (type.map !== undefined) this.#map(value, type.map);
        break;
    }
  }

  #scalar(value: unknown, { scalar }: FieldType): void {
    switch (scalar) {
      case "numeric":
        if (typeof value === "number") return;
        this.#report(`expected numeric (int or float), got ${goPrintType(value)}`);
        break;
      case "string":
        if (typeof value === "string") return;
        this.#report(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
        break;
      case "boolean":
        if (typeof value === "boolean") return;
        this.#report(`expected boolean, got &{${goPrint(value)}}`);
        break;
      case "untyped":
      case undefined:
        if (typeof value !== "object") return;
        this.#report(`expected any scalar, got &{${goPrint(value)}}`);
    }
  }

  #list(value: unknown, type: ListFields): void {
    if (!Array.isArray(value)) {
      this.#report(`expected list, got &{${goPrint(value)}}`);
      return;
    }
    const seen = new Set<PathElement>();
    for (const [index, item] of value.entries()) {
      let element: PathElement = `i:${index}`;
      if (type.keys !== undefined) {
        const found = itemElement(type, item);
        if ("problem" in found) {
          this.#report(`element ${index}: ${found.problem}`);
          return;
        }
        element = found.element;
        if (seen.has(element)) {
          this.#report(`duplicate entries for key ${printElement(element)}`);
        }
        seen.add(element);
      }
      this.#path.push(element);
      this.value(item, type.item);
      this.#path.pop();
    }
  }

  #map(value: unknown, type: MapFields): void {
    if (!isRecord(value)) {
      this.#report(`expected map, got &{${goPrint(value)}}`);
      return;
    }
    for (const name in value) {
      const member = type.fieldOf(name) ?? type.rest;
      this.#path.push(fieldElement(name));
      if (member === undefined) this.#report("field not declared in schema");
      else this.value(value[name], member);
      this.#path.pop();
      if (member === undefined) return;
    }
  }

  #report(text: string): void {
    this.problems.push({ path: this.#path.map(printElement).join(""), text });
  }
}
