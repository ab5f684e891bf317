import { fnv1a64, type FieldPath } from "@listwatch/client";
import { FieldTree } from "@listwatch/client/base";
import type { Cached } from "@listwatch/core-fifo";
import { describeGrant, isGranted, type CheckedGrant } from "../access/grant.ts";
import type { Change, CollectionLog } from "../log/collection-log.ts";
import { formatMessage, formatSet } from "../protocol/frames.ts";

/** Selects objects for one request. Never throws. */
export type ObjectFilter = (object: Cached<object>) => boolean;

/** The part of a collection that a page sees, and the form of its objects. */
export interface ViewParts {
  readonly log: CollectionLog;
  readonly grant: CheckedGrant;
  readonly filter: ObjectFilter | undefined;
  readonly fields: FieldTree | undefined;
  /** Called with the failure to write an object, which is not sent. */
  readonly onError: (error: unknown) => void;
}

let views = 0;

/** The view that some pages have of a collection. Pages with equal views share the messages. */
export class View {
  /** Differs from those of all other views. */
  readonly id: number = ++views;
  readonly log: CollectionLog;
  readonly #parts: ViewParts;

  constructor(parts: ViewParts) {
    this.log = parts.log;
    this.#parts = parts;
  }

  /** Whether the page may see this state of an object. */
  sees(object: Cached<object> | undefined): object is Cached<object> {
    if (object === undefined) return false;
    const { filter, grant } = this.#parts;
    return isGranted(grant, object) && (filter === undefined || filter(object));
  }

  /** Whether objects have the same fields in both views. */
  hasFormOf(other: View): boolean {
    return this.#parts.fields === other.#parts.fields;
  }

  /** Returns the message of a change; `""` if the page sees nothing of it. */
  frameOf(change: Change): string {
    const { key, object, old } = change;
    if (!this.sees(object)) return this.sees(old) ? this.deletion(key) : "";
    const { fields } = this.#parts;
    const known = change.frames.get(fields);
    if (known !== undefined) return known;
    const frame = this.frameOfObject(key, object);
    change.frames.set(fields, frame);
    return frame;
  }

  /** Returns the message with the current state of an object. */
  frameOfObject(key: string, object: Cached<object>): string {
    const { fields, log, onError } = this.#parts;
    try {
      const json = JSON.stringify(fields === undefined ? object : fields.pick(object));
      return formatSet(log.name, key, json);
    } catch (error) {
      onError(error);
      // The page must not keep a former state as if it were the current one.
      return this.deletion(key);
    }
  }

  /** Returns the message that the page no longer has an object. */
  deletion(key: string): string {
    return formatMessage("delete", { collection: this.log.name, key });
  }
}

/** Parts that decide which view a page has. */
export interface ViewRequest {
  readonly log: CollectionLog;
  readonly grant: CheckedGrant;
  readonly filter: ObjectFilter | undefined;
  readonly fields: readonly FieldPath[] | undefined;
  /** The page's user, as far as the request shows one. */
  readonly identity: string;
  readonly onError: (error: unknown) => void;
}

/** A view as one page has it. */
export interface SignedView {
  readonly view: View;
  /** Names the view in a resume: the page, the grant and the form. */
  readonly signature: string;
}

/** All views of a handler. Those without a filter are shared. */
export class Views {
  readonly #epoch: string;
  /** Pages may choose fields: what no page uses any more is forgotten. */
  readonly #trees = new Map<string, WeakRef<FieldTree>>();
  readonly #shared = new Map<string, WeakRef<View>>();

  constructor(epoch: string) {
    this.#epoch = epoch;
  }

  /** Returns the view of a page. @throws {InvalidOptionsError} if a field is not a path */
  get({ fields, filter, grant, identity, log, onError }: ViewRequest): SignedView {
    const form = fields === undefined ? "all" : JSON.stringify(fields);
    // Nothing else than `undefined` means all fields: the tree refuses what is not an array.
    const tree = fields === undefined ? undefined : this.#treeOf(form, fields);
    const selection = `${log.name}\n${describeGrant(grant)}\n${form}`;
    const signature = hash(`${this.#epoch}\n${identity}\n${selection}`);
    const parts = { log, grant, filter, fields: tree, onError };
    // The result of a filter depends on the request.
    if (filter !== undefined) return { view: new View(parts), signature };
    const view = this.#shared.get(selection)?.deref() ?? new View(parts);
    this.#shared.set(selection, new WeakRef(view));
    return { view, signature };
  }

  /** Forgets the views that no page has. */
  sweep(): void {
    for (const known of [this.#shared, this.#trees]) {
      for (const [name, each] of known) if (each.deref() === undefined) known.delete(name);
    }
  }

  #treeOf(form: string, fields: readonly FieldPath[]): FieldTree {
    const known = this.#trees.get(form)?.deref();
    if (known !== undefined) return known;
    const tree = new FieldTree(fields);
    this.#trees.set(form, new WeakRef(tree));
    return tree;
  }
}

/**
 * Shortens a string to 16 digits. A page that has found another string with the same digits only
 * deceives itself: it gets what its own grant allows.
 */
function hash(text: string): string {
  return fnv1a64(text).toString(16).padStart(16, "0");
}
