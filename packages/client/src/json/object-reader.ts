import { metadataOf } from "@listwatch/core-fifo/base";
import type { Structure } from "../structure/structure.ts";
import type { ObjectIdentity, ReuseFunction } from "./decoder.ts";

/** Type of list items, for those without one. */
export interface ItemType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** Returns the type of list items; `undefined` if it does not follow from the list's kind. */
export function itemTypeOf(apiVersion: string, listKind: string): ItemType | undefined {
  const kind = listKind.endsWith("List") ? listKind.slice(0, -"List".length) : "";
  return kind === "" ? undefined : { kind, apiVersion };
}

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
  /** Call it before the first item of a list, with the type of the list if it is known. */
  start(apiVersion: string | undefined, kind: string | undefined): void;
  /** Call it at the end of a list. */
  finish(apiVersion: string | undefined, kind: string | undefined): void;
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
