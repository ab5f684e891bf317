import type { RecordedResource, RecordingLine } from "./format.ts";
import { resourceName } from "./recorded-keys.ts";
import { RecordingError } from "./recording-error.ts";

/** A list that lacks some of its objects. */
interface OpenList {
  readonly line: number;
  readonly items: number;
  readonly name: string;
  readonly isFirst: boolean;
  read: number;
}

/** Checks that each resource begins with a list, and that no list lacks some of its objects. */
export class ListOrder {
  readonly #resources: readonly RecordedResource[];
  readonly #open = new Map<number, OpenList>();
  readonly #listed = new Set<number>();

  constructor(resources: readonly RecordedResource[]) {
    this.#resources = resources;
  }

  /** @throws {RecordingError} for a line that cannot come next */
  take(number: number, line: Exclude<RecordingLine, { readonly type: "END" }>): void {
    const { resource, type } = line;
    const open = this.#open.get(resource);
    if (type === "LISTED" && open !== undefined) {
      open.read += 1;
      if (open.read === open.items) this.#open.delete(resource);
      return;
    }
    if (open !== undefined) throw lacking(number, open, `a line of type ${type}`);
    const found = this.#resources[resource];
    const name = found === undefined ? "" : resourceName(found);
    if (type === "LIST") {
      const { items } = line;
      const isFirst = !this.#listed.has(resource);
      if (items > 0) this.#open.set(resource, { line: number, items, name, isFirst, read: 0 });
      this.#listed.add(resource);
    } else if (type === "LISTED" || !this.#listed.has(resource)) {
      throw new RecordingError(number, `expected a LIST of ${name} before, got ${type}`);
    }
  }

  /**
   * Checks the end of the recording. A repeated list may be cut off, since its objects are known.
   *
   * @param number its last line
   * @throws {RecordingError} for a first list that is cut off, and for a recording without a list
   */
  end(number: number, isComplete: boolean): void {
    const end = isComplete ? "the end" : "the end of a file that is cut off";
    for (const open of this.#open.values()) {
      if (open.isFirst || isComplete) throw lacking(number, open, end);
    }
    if (isComplete || this.#listed.size > 0) return;
    throw new RecordingError(number, `expected a LIST after it, got ${end}`);
  }
}

function lacking(number: number, list: OpenList, found: string): RecordingError {
  const { items, line, name, read } = list;
  return new RecordingError(
    number,
    `expected ${items} objects of the list of ${name} in line ${line}, got ${read} and ${found}`,
  );
}
