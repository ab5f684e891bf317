import { memoized } from "../base/read-fields.ts";
import {
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "../validation/field-errors.ts";
import type { SchemaProblem } from "./validation-result.ts";

/**
 * Formats the problems of one validation. Names are relative to `prefix`: the status is validated
 * separately, so `status.phase` is reported as "phase in body".
 */
export class ProblemWriter {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** A problem of the object as a whole. */
  composite(text: string): SchemaProblem {
    return { text, error: invalid(this.#field(""), "", text) };
  }

  wrongType(name: string, expected: string, actual: string): SchemaProblem {
    const text = `${name} in body must be of type ${expected}: "${actual}"`;
    return { text, error: typeInvalid(this.#field(name), actual, text) };
  }

  /**
   * A string that does not match the format. The server reports a wrong type and the string instead
   * of its type.
   */
  wrongFormat(name: string, format: string, value: string): SchemaProblem {
    const text = `${name} in body must be of type ${format}: ${JSON.stringify(value)}`;
    return { text, error: typeInvalid(this.#field(name), value, text) };
  }

  missing(name: string): SchemaProblem {
    const text = `${name} in body is required`;
    return { text, error: required(this.#field(name)) };
  }

  notInEnum(name: string, value: unknown, allowed: readonly unknown[]): SchemaProblem {
    const { joined, supported } = enumTexts(allowed);
    const text = `${name} in body should be one of [${joined}]`;
    return { text, error: notSupported(this.#field(name), value, supported) };
  }

  tooLong(name: string, max: number): SchemaProblem {
    const text = `${name} in body should be at most ${max} chars long`;
    return { text, error: tooLong(this.#field(name), max) };
  }

  tooManyItems(name: string, actual: number, max: number): SchemaProblem {
    const text = `${name} in body should have at most ${max} items`;
    return { text, error: tooMany(this.#field(name), actual, max) };
  }

  tooManyProperties(name: string, actual: number, max: number): SchemaProblem {
    const text = `${name} in body should have at most ${max} properties`;
    return { text, error: tooMany(this.#field(name), actual, max) };
  }

  forbiddenProperty(name: string, key: string): SchemaProblem {
    const text = `${name}.${key} in body is a forbidden property`;
    return { text, error: invalid(this.#field(name), key, text) };
  }

  /** Any other rule: "should be at least 2 chars long". */
  broken(name: string, value: unknown, rule: string): SchemaProblem {
    return this.about(name, value, `${name} in body ${rule}`);
  }

  /** A problem of a field in other words. */
  about(name: string, value: unknown, text: string): SchemaProblem {
    return { text, error: invalid(this.#field(name), value, text) };
  }

  #field(name: string): string {
    const trimmed = name.replace(/^\./, "");
    if (trimmed === "") return this.#prefix === "" ? "<nil>" : this.#prefix;
    return this.#prefix === "" ? trimmed : `${this.#prefix}.${trimmed}`;
  }
}

const enumTexts = memoized((allowed: readonly unknown[]) => {
  const supported = allowed.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
  return { supported, joined: supported.join(" ") };
});
