import { ItemTypes } from "./item-types.ts";
import { removeManagedFields, tryParse, tryParseStripped } from "./parse.ts";
import { skipSpace } from "./scan.ts";

/** Parses the items of a list and adds a missing `kind` and `apiVersion`. */
export class ItemParser<T> {
  readonly types: ItemTypes = new ItemTypes();
  readonly #stripManagedFields: boolean;
  /**
   * `{"kind":"Pod","apiVersion":"v1",` if items lack these. Added to the text instead of the
   * object, so that list items and watch events have the same shape in the engine.
   */
  #prefix: string | undefined;

  constructor(stripManagedFields: boolean) {
    this.#stripManagedFields = stripManagedFields;
  }

  /** Parses the object in this piece of text; `undefined` unless it is exactly one. */
  tryParse(text: string, start: number, end: number): T | undefined {
    const item = this.#value(text, start, end);
    if (!this.#isObject(item)) return undefined;
    if (this.#prefix !== undefined || !this.types.complete(item)) return item;
    const { type } = this.types;
    if (type === undefined) return item;
    // An item without a type shows that items of this list have none.
    this.#prefix = `${JSON.stringify(type).slice(0, -1)},`;
    const typed = this.#value(text, start, end);
    return this.#isObject(typed) ? typed : undefined;
  }

  #value(text: string, start: number, end: number): unknown {
    if (!this.#stripManagedFields) return tryParse(this.#withType(text.slice(start, end)));
    const value = tryParseStripped(text, { start, end, object: start }, this.#withType);
    removeManagedFields(value);
    return value;
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
