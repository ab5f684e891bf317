import { deepFreeze, lazyMembers, metadataOf } from "@listwatch/core-fifo/base";
import { LazyTextError } from "../errors/decode-errors.ts";
import { noteLazyRead } from "./lazy-reads.ts";
import type { ReadHabits } from "./read-habits.ts";

/** Parses lazy members for a decoder and receives their failures. */
export interface LazyReads {
  /** Accessors for the objects of one collection. */
  readonly accessors: LazyAccessors;
  readonly habits: ReadHabits;
  /**
   * Called on first access with the stored form of a member and the metadata of its object.
   *
   * @returns its value, which is neither a string nor bytes
   * @throws an error that {@link LazyReads.expectedIn} explains, if there is none
   */
  parse(kept: string | Uint8Array, name: string, metadata: object): unknown;
  /** Names the expected form, such as `JSON`, if `parse` threw this error; otherwise `undefined`. */
  expectedIn(error: unknown): string | undefined;
  /** Called with each failed read of a member and the metadata of its object. */
  failed(error: LazyTextError, metadata: object): void;
}

/** Content of an object with lazy members: the decoder's part, then each member, stored or parsed. */
export type Held = [LazyReads, ...unknown[]];

interface LazyHolder {
  readonly [lazyMembers]?: Held;
}

/** Accessors of a member, one pair for all objects that have it at the same place. */
type Accessors = PropertyDescriptor & ThisType<LazyHolder>;

/**
 * Maximum number of shared accessors of a collection. Authors of its objects choose the names, so
 * the oldest are forgotten, and long names are not shared.
 */
const maxAccessors = 1000;
const maxNameLength = 256;

/** Accessors that the objects of one collection share. */
export class LazyAccessors {
  readonly #byPlace = new Map<string, Accessors>();

  /** Returns the accessors of a member at a place, 1 or more, in the content of its object. */
  at(name: string, place: number): PropertyDescriptor {
    if (name.length > maxNameLength) return createAccessors(name, place);
    // The digits end at the colon, so that no two members have the same key.
    const key = `${place}:${name}`;
    let accessors = this.#byPlace.get(key);
    if (accessors === undefined) {
      accessors = createAccessors(name, place);
      if (this.#byPlace.size === maxAccessors) this.#forgetOldest();
      this.#byPlace.set(key, accessors);
    }
    return accessors;
  }

  /** Members that most objects have are shared again by the next object that has them. */
  #forgetOldest(): void {
    for (const key of this.#byPlace.keys()) {
      this.#byPlace.delete(key);
      return;
    }
  }
}

/** Shows an object as a plain one, without its accessors. */
function show(this: object): object {
  return { ...this };
}

// An accessor takes no space in the object, unlike a value.
const inspection: PropertyDescriptor = { get: () => show, configurable: true };

/** Symbol that `console.log` of Node, Deno and Bun looks for. */
const inspect = Symbol.for("nodejs.util.inspect.custom");

/** Prepares an object for lazy members, which {@link LazyAccessors} read. */
export function holdLazyMembers(object: object, held: Held): void {
  Object.defineProperty(object, lazyMembers, { value: held });
  Object.defineProperty(object, inspect, inspection);
}

function createAccessors(name: string, place: number): Accessors {
  return {
    get() {
      return read(this, name, place);
    },
    set(value: unknown) {
      const plain = { value, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this, name, plain);
    },
    enumerable: true,
    configurable: true,
  };
}

function read(holder: LazyHolder, name: string, place: number): unknown {
  const held = holder[lazyMembers];
  if (held === undefined) throw createReceiverError(name);
  const member = held[place];
  if (typeof member !== "string" && !(member instanceof Uint8Array)) return member;
  const value = parse(member, holder, name, held);
  if (Object.isFrozen(ownerOf(holder))) deepFreeze(value);
  held[place] = value;
  noteLazyRead();
  held[0].habits.countRead(name);
  return value;
}

/**
 * Accessors are shared, so the object cannot be found from a receiver that is neither the object
 * nor its heir.
 */
function createReceiverError(name: string): TypeError {
  return new TypeError(
    `Cannot read ${name} of a lazy object: expected the object, its heir or a proxy of it as ` +
      "receiver of the read, got another value; read it without Reflect.get's third argument",
  );
}

function parse(
  kept: string | Uint8Array,
  holder: LazyHolder,
  name: string,
  [reads]: Held,
): unknown {
  // For managedFields the holder is the metadata itself.
  const metadata = metadataOf(holder) ?? holder;
  try {
    return reads.parse(kept, name, metadata);
  } catch (cause) {
    const expected = reads.expectedIn(cause);
    if (expected === undefined) throw cause;
    const failure = new LazyTextError(name, keyOf(metadata), String(kept), { cause, expected });
    reads.failed(failure, metadata);
    throw failure;
  }
}

/** Returns the object with the lazy members, of which the holder may be an heir. */
function ownerOf(holder: LazyHolder): object {
  let owner: object = holder;
  while (!Object.hasOwn(owner, lazyMembers)) {
    const prototype: unknown = Object.getPrototypeOf(owner);
    if (typeof prototype !== "object" || prototype === null) break;
    owner = prototype;
  }
  return owner;
}

function keyOf(metadata: object): string {
  const { name, namespace }: { name?: unknown; namespace?: unknown } = metadata;
  return typeof namespace === "string" ? `${namespace}/${String(name)}` : String(name);
}
