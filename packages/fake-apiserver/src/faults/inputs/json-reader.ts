import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { ControlInputError } from "../../control/control-errors.ts";
import { wrongInput } from "./demand.ts";

/**
 * Reads typed fields out of what comes from outside: JSON, or an object of a program, whose fields
 * may be undefined or functions. Every method throws a {@link ControlInputError} that names the
 * field.
 */
export class JsonReader {
  readonly #value: JsonObject;
  readonly #path: string;
  readonly #read: Set<string> = new Set();

  constructor(value: unknown, path: string = "") {
    if (!isRecord(value)) throw wrongInput(path, "an object", value);
    this.#value = value;
    this.#path = path;
  }

  hasObject(name: string): boolean {
    return isRecord(this.#value[name]);
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined;
  }

  text(name: string): string;
  text(name: string, fallback: string): string;
  text(name: string, fallback?: string): string {
    const value = this.#field(name) ?? fallback;
    if (typeof value !== "string") throw this.#wrong(name, "a text");
    return value;
  }

  number(name: string): number;
  number(name: string, fallback: number): number;
  number(name: string, fallback?: number): number {
    const value = this.#field(name) ?? fallback;
    if (typeof value !== "number") throw this.#wrong(name, "a number");
    return value;
  }

  boolean(name: string, fallback: boolean): boolean {
    const value = this.#field(name) ?? fallback;
    if (typeof value !== "boolean") throw this.#wrong(name, "true or false");
    return value;
  }

  /** One of the strings. */
  choice<const T extends string>(name: string, choices: readonly T[], fallback?: T): T {
    const value = this.#field(name) ?? fallback;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) throw this.#wrong(name, oneOf(choices));
    return choice;
  }

  /** One of the strings, or a list of them. */
  choices<const T extends string>(name: string, choices: readonly T[]): T | readonly T[] {
    const texts = this.texts(name);
    if (typeof texts === "string") return this.choice(name, choices);
    return texts.map((text) => {
      const choice = choices.find((candidate) => candidate === text);
      if (choice === undefined) throw this.#wrong(name, oneOf(choices));
      return choice;
    });
  }

  /** A string or a list of strings. */
  texts(name: string): string | readonly string[] {
    const value = this.#field(name);
    if (typeof value === "string") return value;
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
    throw this.#wrong(name, "a text or a list of texts");
  }

  /** A number or a list of numbers. */
  numbers(name: string): number | readonly number[] {
    const value = this.#field(name);
    if (typeof value === "number") return value;
    if (Array.isArray(value) && value.every((item) => typeof item === "number")) return value;
    throw this.#wrong(name, "a number or a list of numbers");
  }

  /** An object whose values are strings. */
  textMap(name: string): Readonly<Record<string, string>> {
    const entries = Object.entries(this.object(name)).map(([key, value]) => {
      if (typeof value !== "string") throw wrongInput(`${this.#at(name)}.${key}`, "a text", value);
      return [key, value] as const;
    });
    return Object.fromEntries(entries);
  }

  /** An object whose values are strings or null. */
  textOrNullMap(name: string): Readonly<Record<string, string | null>> {
    const entries = Object.entries(this.object(name)).map(([key, value]) => {
      if (typeof value === "string" || value === null) return [key, value] as const;
      throw wrongInput(`${this.#at(name)}.${key}`, "a text or null", value);
    });
    return Object.fromEntries(entries);
  }

  /** A function without arguments. */
  callback(name: string): () => unknown {
    const value = this.#field(name);
    if (typeof value !== "function") throw this.#wrong(name, "a function");
    return () => Reflect.apply(value, undefined, []);
  }

  object(name: string): JsonObject {
    const value = this.#field(name) ?? {};
    if (!isRecord(value)) throw this.#wrong(name, "an object");
    return value;
  }

  /** A reader of the object in the field; of an empty one if it is absent. */
  reader(name: string): JsonReader {
    return new JsonReader(this.object(name), this.#at(name));
  }

  /** Refuses fields that were not read: they are typing errors. */
  end(): void {
    this.only([...this.#read]);
  }

  /** Refuses fields that are not among these. */
  only(names: readonly string[]): void {
    const unknown = Object.keys(this.#value).find(
      (name) => this.has(name) && !names.includes(name),
    );
    if (unknown !== undefined) throw new ControlInputError(`Unknown field ${this.#at(unknown)}`);
  }

  #field(name: string): unknown {
    this.#read.add(name);
    return this.#value[name];
  }

  #at(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }

  #wrong(name: string, expected: string): ControlInputError {
    return wrongInput(this.#at(name), expected, this.#value[name]);
  }
}

function oneOf(choices: readonly string[]): string {
  return `one of ${choices.filter((choice) => choice !== "").join(", ")}`;
}
