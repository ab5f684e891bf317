import { cutManagedFields, skipSpace } from "./json-scan.ts";

/** Parses items of a list, giving them the `kind` and `apiVersion` that they lack. */
export class ItemParser<T> {
  readonly #stripManagedFields: boolean;
  /**
   * `{"kind":"Pod","apiVersion":"v1",` when items do not say it themselves. It goes into the text and not onto the
   * object, so that list items and watch events get one shape in the engine.
   */
  #prefix: string | undefined;
  /** Items before the kind of the list was known; those without a kind get it at the end. */
  #early: object[] | undefined = [];
  #apiVersion: string | undefined;
  #kind: string | undefined;

  constructor(stripManagedFields: boolean) {
    this.#stripManagedFields = stripManagedFields;
  }

  /** The items begin; what came before them says this. */
  start(apiVersion: string | undefined, kind: string | undefined): void {
    if (apiVersion === undefined || kind === undefined) return;
    this.#early = undefined;
    this.#setType(apiVersion, kind);
  }

  /** The list is over; items that came before its kind get theirs now. */
  finish(apiVersion: string | undefined, kind: string | undefined): void {
    if (this.#early === undefined || apiVersion === undefined || kind === undefined) return;
    this.#setType(apiVersion, kind);
    if (this.#kind === undefined) return;
    for (const item of this.#early) Object.assign(item, { kind: this.#kind, apiVersion });
    this.#early = undefined;
  }

  /** The object in this piece of text, or `undefined` if it is not exactly one. */
  tryParse(text: string, start: number, end: number): T | undefined {
    let piece = text.slice(start, end);
    if (this.#stripManagedFields) piece = cutManagedFields(piece, 0);
    try {
      if (this.#prefix !== undefined) return JSON.parse(this.#withType(piece));
      const item: T & object = JSON.parse(piece);
      this.#look(item);
      if (this.#prefix !== undefined) return JSON.parse(this.#withType(piece));
      return item;
    } catch {
      return undefined;
    }
  }

  #setType(apiVersion: string, kind: string): void {
    const itemKind = kind.endsWith("List") ? kind.slice(0, -"List".length) : "";
    if (itemKind === "") return;
    this.#apiVersion = apiVersion;
    this.#kind = itemKind;
  }

  /** An item without a kind shows that items of this list do not name their type. */
  #look(item: object): void {
    if ("kind" in item) return;
    if (this.#early !== undefined) this.#early.push(item);
    else if (this.#kind !== undefined) {
      this.#prefix = `{"kind":${JSON.stringify(this.#kind)},"apiVersion":${JSON.stringify(this.#apiVersion)},`;
    }
  }

  #withType(piece: string): string {
    // A kind of the item's own comes later in the text and therefore wins.
    const isEmpty = piece.charAt(skipSpace(piece, 1)) === "}";
    return isEmpty ? `${this.#prefix?.slice(0, -1)}}` : this.#prefix + piece.slice(1);
  }
}
