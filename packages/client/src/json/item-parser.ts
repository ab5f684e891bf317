import { removeManagedFields, tryParse, tryParseStripped } from "./parse.ts";
import { skipSpace } from "./scan.ts";

/** Parses the items of a list and adds the `kind` and `apiVersion` that they lack. */
export class ItemParser<T> {
  readonly #stripManagedFields: boolean;
  /**
   * `{"kind":"Pod","apiVersion":"v1",` if items do not have it. It is put before the text and not
   * onto the object, so that list items and watch events have the same shape in the engine.
   */
  #prefix: string | undefined;
  /** Items that came before the kind of the list; those without a kind get it at the end. */
  #early: object[] | undefined = [];
  #apiVersion: string | undefined;
  #kind: string | undefined;

  constructor(stripManagedFields: boolean) {
    this.#stripManagedFields = stripManagedFields;
  }

  /** Called when the items begin, with what the list has named before them. */
  start(apiVersion: string | undefined, kind: string | undefined): void {
    if (apiVersion === undefined || kind === undefined) return;
    this.#early = undefined;
    this.#setType(apiVersion, kind);
  }

  /** Called at the end of the list; items that came before its kind get it now. */
  finish(apiVersion: string | undefined, kind: string | undefined): void {
    if (this.#early === undefined || apiVersion === undefined || kind === undefined) return;
    this.#setType(apiVersion, kind);
    if (this.#kind === undefined) return;
    for (const item of this.#early) {
      Object.assign(item, { kind: this.#kind, apiVersion, ...item });
    }
    this.#early = undefined;
  }

  /** Parses the object in this piece of text; `undefined` if it is not exactly one. */
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

  /** An item without a type shows that items of this list do not name it. */
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
