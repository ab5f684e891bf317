import { ItemTypes } from "./item-types.ts";
import { removeManagedFields, tryParse } from "./parse.ts";

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

  /** Parses this text; `undefined` unless it is exactly one object. */
  tryParse(text: string): (T & object) | undefined {
    const item = this.#value(text);
    if (!this.#isObject(item)) return undefined;
    if (this.#prefix !== undefined || !this.types.complete(item)) return item;
    const { type } = this.types;
    if (type === undefined) return item;
    // An item without a type shows that items of this list have none.
    this.#prefix = `${JSON.stringify(type).slice(0, -1)},`;
    const typed = this.#value(text);
    return this.#isObject(typed) ? typed : undefined;
  }

  #value(text: string): unknown {
    const value = tryParse(this.#withType(text));
    if (this.#stripManagedFields) removeManagedFields(value);
    return value;
  }

  #isObject(value: unknown): value is T & object {
    return typeof value === "object" && value !== null;
  }

  #withType(text: string): string {
    if (this.#prefix === undefined) return text;
    // If the item has a kind, it comes later in the text and therefore wins.
    const members = text.slice(1);
    return (members.trimStart() === "}" ? this.#prefix.slice(0, -1) : this.#prefix) + members;
  }
}
