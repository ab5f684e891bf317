import { deepFreeze, lazyMembers, metadataOf } from "@listwatch/core-fifo/base";
import { LazyTextError } from "../errors/decode-errors.ts";
import { noteLazyRead } from "./lazy-reads.ts";

/** What a decoder knows about the members that are read of its objects. */
export interface LazyReads {
  /**
   * Called with what is kept of a member when it is first read, the metadata of its object.
   *
   * @returns its value, which is neither a string nor bytes
   * @throws an error that {@link LazyReads.expectedIn} explains, if there is none
   */
  parse(kept: string | Uint8Array, name: string, metadata: object): unknown;
  /** Names the expected form, such as `JSON`, if `parse` threw this error; otherwise `undefined`. */
  expectedIn(error: unknown): string | undefined;
  /** Called with each failed read of a member, and the metadata of its object. */
  failed(error: LazyTextError, metadata: object): void;
}

/** An object with lazy members: the decoder's part, then what is kept of each, or its value. */
export type Held = [LazyReads, ...unknown[]];

interface LazyHolder {
  readonly [lazyMembers]: Held;
}

/** The accessors of a member; one pair for all objects that have it at the same place. */
type Accessors = PropertyDescriptor & ThisType<LazyHolder>;

const accessorsByPlace = new Map<string, Accessors>();
/** Names come from servers; of more than this no accessors are kept. */
const maxAccessors = 1000;

/** Shows an object as a plain one; its accessors would be shown otherwise. */
function show(this: object): object {
  return { ...this };
}

// An accessor takes no room in the object, as a value would.
const inspection: PropertyDescriptor = { get: () => show, configurable: true };

/** What `console.log` of Node, Deno and Bun asks an object for. */
const inspect = Symbol.for("nodejs.util.inspect.custom");

/** Gives an object a place for lazy members, which {@link defineLazyMember} defines. */
export function holdLazyMembers(object: object, held: Held): void {
  Object.defineProperty(object, lazyMembers, { value: held });
  Object.defineProperty(object, inspect, inspection);
}

/** Defines a member that is kept at a place, 1 or more, of what the object holds. */
export function defineLazyMember(object: object, name: string, place: number): void {
  Object.defineProperty(object, name, accessorsOf(name, place));
}

function accessorsOf(name: string, place: number): Accessors {
  const key = `${place}${name}`;
  let accessors = accessorsByPlace.get(key);
  if (accessors === undefined) {
    accessors = {
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
    if (accessorsByPlace.size < maxAccessors) accessorsByPlace.set(key, accessors);
  }
  return accessors;
}

function read(holder: LazyHolder, name: string, place: number): unknown {
  const held = holder[lazyMembers];
  const member = held[place];
  if (typeof member !== "string" && !(member instanceof Uint8Array)) return member;
  const value = parse(member, holder, name, held);
  if (Object.isFrozen(ownerOf(holder))) deepFreeze(value);
  held[place] = value;
  noteLazyRead();
  return value;
}

function parse(
  kept: string | Uint8Array,
  holder: LazyHolder,
  name: string,
  [reads]: Held,
): unknown {
  // Of managedFields the holder is the metadata itself.
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

/** The object that has the lazy members, of which the holder may be an heir. */
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
