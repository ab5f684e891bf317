import { removeManagedFields, tryParse, tryParseStripped } from "./parse.ts";
import { skipSpace } from "./scan.ts";

/** Parses the items of a list and adds a missing `kind` and `apiVersion`. */
export class ItemParser<T> {
  readonly #stripManagedFields: boolean;
  /**
   * `{"kind":"Pod","apiVersion":"v1",` if items lack these. Added to the text instead of the
   * object, so that list items and watch events have the same shape in the engine.
   */
  #prefix: string | undefined;
  /** Items that precede the kind of the list. Those without a kind get it at the end. */
  #early: object[] | undefined = [];
  #apiVersion: string | undefined;
  #kind: string | undefined;

  constructor(stripManagedFields: boolean) {
    this.#stripManagedFields = stripManagedFields;
  }

  /** Call it before the first item, with the type of the list if it is known. */
  start(apiVersion: string | undefined, kind: string | undefined): void {
    if (apiVersion === undefined || kind === undefined) return;
    this.#early = undefined;
    this.#setType(apiVersion, kind);
  }

  /** Call it at the end of the list. Items that preceded its kind get it then. */
  finish(apiVersion: string | undefined, kind: string | undefined): void {
    if (this.#early === undefined || apiVersion === undefined || kind === undefined) return;
    this.#setType(apiVersion, kind);
    if (this.#kind === undefined) return;
    for (const item of this.#early) {
      Object.assign(item, { kind: this.#kind, apiVersion, ...item });
    }
    this.#early = undefined;
  }

  /** Parses the object in this piece of text; `undefined` unless it is exactly one. */
  tryParse(text: string, start: number, end: number): T | undefined {
    const item = this.#value(text, start, end);
    if (!this.#isObject(item)) return undefined;
    if (this.#prefix !== undefined || ("kind" in item && "apiVersion" in item)) return item;
    this.#noteUntyped(item);
    if (this.#prefix === undefined) return item;
    const typed = this.#value(text, start, end);
    return this.#isObject(typed) ? typed : undefined;
  }

  #value(text: string, start: number, end: number): unknown {
    if (!this.#stripManagedFields) return tryParse(this.#withType(text.slice(start, end)));
    const value = tryParseStripped(text, { start, end, object: start }, this.#withType);
    removeManagedFields(value);
    return value;
  }

  #setType(apiVersion: string, kind: string): void {
    const itemKind = kind.endsWith("List") ? kind.slice(0, -"List".length) : "";
    if (itemKind === "") return;
    this.#apiVersion = apiVersion;
    this.#kind = itemKind;
  }

  /** An item without a type shows that items of this list have none. */
  #noteUntyped(item: object): void {
    if (this.#early !== undefined) this.#early.push(item);
    else if (this.#kind !== undefined) {
      const kind = JSON.stringify(this.#kind);
      this.#prefix = `{"kind":${kind},"apiVersion":${JSON.stringify(this.#apiVersion)},`;
    }
  }

  #isObject(value: unknown): value is T & object {
    return typeof value === "object" && value !== null;
  }

  readonly #withType = (piece: string): string => {
    if (this.#prefix === undefined) return piece;
    // If the item has a kind, it comes later in the text and therefore wins.
    const isEmpty = piece.charAt(skipSpace(piece, 1)) === "}";
    return (isEmpty ? this.#prefix.slice(0, -1) : this.#prefix) + piece.slice(1);
  };
}
