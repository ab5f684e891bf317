import { metadataOf } from "@listwatch/core-fifo/base";
import type { Structure } from "../structure/structure.ts";
import type { ItemTypes } from "./item-types.ts";
import type { ObjectIdentity, ReuseFunction } from "./decoder.ts";

/** Position of a complete object in the text. */
export interface ObjectPlace {
  readonly structure: Structure;
  /** Record of its `{`. */
  readonly record: number;
  readonly start: number;
  readonly end: number;
}

/** Receiver of the objects that were read. */
export interface ObjectTaker<T> {
  readonly take: (object: T) => void;
  /** Returns the held object of exactly this state. */
  readonly reuse: ReuseFunction<T> | undefined;
}

/** Creates objects in one form from their text. */
export interface ObjectReader<T> {
  readonly types: ItemTypes;
  /**
   * Reads an object. {@link ObjectReader.flush} delivers objects that are read together, in order.
   *
   * @returns false if it is not a JSON object
   */
  read(place: ObjectPlace, taker: ObjectTaker<T>): boolean;
  /** Converts an object that was parsed as a whole. */
  reduce(object: object): T;
  /**
   * Delivers all objects that were read, up to the first one that is not JSON.
   *
   * @returns the position of that one
   */
  flush(): { readonly start: number; readonly end: number } | undefined;
}

/** Returns the identity of an object; `undefined` without a uid or resourceVersion. */
export function identityOf(object: unknown): ObjectIdentity | undefined {
  const metadata = metadataOf(object);
  if (metadata === undefined) return undefined;
  const name = textOf(metadata, "name");
  const uid = textOf(metadata, "uid");
  const resourceVersion = textOf(metadata, "resourceVersion");
  if (name === "" || uid === "" || resourceVersion === "") return undefined;
  return { name, uid, resourceVersion, namespace: textOf(metadata, "namespace") };
}

function textOf(metadata: object, name: string): string {
  const value: unknown = Reflect.get(metadata, name);
  return typeof value === "string" ? value : "";
}
