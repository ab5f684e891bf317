import type { KubernetesObject, Leaf } from "@listwatch/core-fifo";
import type { ApplyConfiguration, ApplyElement } from "./object-forms.ts";

/**
 * A JSON merge patch (RFC 7396): absent members stay, `null` removes, and a list replaces the whole
 * list, so its elements have their required fields.
 */
export type MergePatch<T> = { readonly [K in keyof T]?: MergeValue<T[K]> | undefined };

/** The value of a member in a {@link MergePatch}. */
export type MergeValue<T> = T extends Leaf
  ? T | null
  : T extends readonly (infer E)[]
    ? readonly ApplyElement<E>[] | null
    : T extends object
      ? MergePatch<T> | null
      : T;

/** Directives of a strategic merge patch for an object or a list. */
export interface StrategicDirectives {
  /** Effect on the existing object. @default "merge" */
  readonly $patch?: "replace" | "merge" | "delete" | undefined;
  /**
   * The only members of the object that stay; the others are removed.
   *
   * @default none, all members stay
   */
  readonly $retainKeys?: readonly string[] | undefined;
  /** Order of the elements of a list after the patch, by their keys. */
  readonly [order: `$setElementOrder/${string}`]: readonly unknown[];
  /** Elements to remove from a list of strings or numbers. */
  readonly [removed: `$deleteFromPrimitiveList/${string}`]: readonly unknown[];
}

/**
 * A strategic merge patch: like {@link MergePatch}, but lists of built-in kinds are merged by their
 * keys. Servers refuse it for custom resources with 415.
 */
export type StrategicPatch<T> = StrategicDirectives & {
  readonly [K in keyof T]?: StrategicValue<T[K]> | undefined;
};

/** The value of a member in a {@link StrategicPatch}. */
export type StrategicValue<T> = T extends Leaf
  ? T | null
  : T extends readonly (infer E)[]
    ? readonly StrategicElement<E>[] | null
    : T extends object
      ? StrategicPatch<T> | null
      : T;

/** An element of a list in a {@link StrategicPatch}. */
export type StrategicElement<E> = E extends Leaf ? E : StrategicPatch<E>;

/** An operation of a JSON patch (RFC 6902). A `path` is a JSON pointer, such as `/data/a~1b`. */
export type JsonPatchOperation =
  | {
      /** Operation. `add` to an array inserts; `test` fails the patch if the value differs. */
      readonly op: "add" | "replace" | "test";
      /** Target, as a JSON pointer. `-` as its last segment is the end of an array. */
      readonly path: string;
      /** Any JSON value. */
      readonly value: unknown;
    }
  | {
      /** Removes the value at `path`, which must exist. */
      readonly op: "remove";
      /** Target, as a JSON pointer. */
      readonly path: string;
    }
  | {
      /** Operation. `move` removes the value at `from`. */
      readonly op: "move" | "copy";
      /** Source, as a JSON pointer. It must exist. */
      readonly from: string;
      /** Target, as a JSON pointer. */
      readonly path: string;
    };

/** A JSON patch (RFC 6902): ordered operations, which are applied completely or not at all. */
export type JsonPatch = readonly JsonPatchOperation[];

/** Content of each kind of patch. */
export interface Patches<T> {
  /** Members to change, as for `kubectl patch --type merge`. */
  readonly merge: MergePatch<T>;
  /** Operations, as for `kubectl patch --type json`. */
  readonly json: JsonPatch;
  /** Members to change, with lists merged by key, as for `kubectl patch --type strategic`. */
  readonly strategic: StrategicPatch<T>;
  /** Fields that the manager wants to own, as for `kubectl apply --server-side`. */
  readonly apply: ApplyConfiguration<T>;
}

/** A patch of one kind; any object if the type of the patched object is unknown. */
export type PatchOf<T, Type extends keyof Patches<T>> = KubernetesObject extends T
  ? Type extends "json"
    ? JsonPatch
    : object
  : Patches<T>[Type];
