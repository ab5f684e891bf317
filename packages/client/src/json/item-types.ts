/** Type of list items, for those without one. */
interface ItemType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Adds the type that follows from the kind of a list to its items, which servers send without. */
export class ItemTypes {
  #type: ItemType | undefined;
  /** Items without a type that precede the kind of their list. They get it at the end. */
  #early: object[] | undefined = [];

  /** The type of items; `undefined` if it is not known yet, or does not follow from the list. */
  get type(): ItemType | undefined {
    return this.#type;
  }

  /** Whether items precede the kind of their list. */
  get areEarly(): boolean {
    return this.#early !== undefined;
  }

  /** Call it before the first item of a list, with the type of the list if it is known. */
  start(apiVersion: string | undefined, listKind: string | undefined): void {
    if (apiVersion === undefined || listKind === undefined) return;
    this.#early = undefined;
    const kind = listKind.endsWith("List") ? listKind.slice(0, -"List".length) : "";
    this.#type = kind === "" ? undefined : { kind, apiVersion };
  }

  /** Call it at the end of a list. */
  finish(apiVersion: string | undefined, listKind: string | undefined): void {
    const early = this.#early ?? [];
    // Without a type in the list, they stay without one.
    this.#early = undefined;
    this.start(apiVersion, listKind);
    for (const item of early) this.complete(item);
  }

  /**
   * Adds a missing type to an item, at once or when it is known.
   *
   * @returns whether the item had none
   */
  complete(item: object): boolean {
    if ("kind" in item && "apiVersion" in item) return false;
    if (this.#early !== undefined) this.#early.push(item);
    else if (this.#type !== undefined) Object.assign(item, { ...this.#type, ...item });
    return true;
  }
}
