import { metadataOf } from "@listwatch/core-fifo/base";
import type { Structure } from "../structure/structure.ts";
import type { ObjectIdentity, ReuseFunction } from "./decoder.ts";

/** The type that the items of a list lack. */
export interface ItemType {
  readonly kind: string;
  readonly apiVersion: string;
}

/** The type of the items of a list; `undefined` if its kind does not say it. */
export function itemTypeOf(apiVersion: string, listKind: string): ItemType | undefined {
  const kind = listKind.endsWith("List") ? listKind.slice(0, -"List".length) : "";
  return kind === "" ? undefined : { kind, apiVersion };
}

/** Where a whole object is in a text. */
export interface ObjectPlace {
  readonly structure: Structure;
  /** That of its `{`. */
  readonly record: number;
  readonly start: number;
  readonly end: number;
}

/** What becomes of an object that was read. */
export interface ObjectTaker<T> {
  readonly take: (object: T) => void;
  /** Finds the object that is held in exactly this state. */
  readonly reuse: ReuseFunction<T> | undefined;
}

/** Makes objects in one form of the text of objects. */
export interface ObjectReader<T> {
  /** Called when the items of a list begin, with what the list has named before them. */
  start(apiVersion: string | undefined, kind: string | undefined): void;
  /** Called at the end of a list. */
  finish(apiVersion: string | undefined, kind: string | undefined): void;
  /**
   * Reads an object. Those that are read together are taken when {@link ObjectReader.flush} is
   * called, in their order.
   *
   * @returns false if it is no JSON object
   */
  read(place: ObjectPlace, taker: ObjectTaker<T>): boolean;
  /** Brings an object into the form that was parsed as a whole. */
  reduce(object: object): T;
  /**
   * Has all objects taken that were read, up to the first that is no JSON.
   *
   * @returns where that is
   */
  flush(): { readonly start: number; readonly end: number } | undefined;
}

/** The identity of an object; `undefined` if it says no uid or resourceVersion. */
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
