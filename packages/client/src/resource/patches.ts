import type { KubernetesObject, Leaf } from "@listwatch/core-fifo";
import type { ApplyConfiguration, ApplyElement } from "./object-forms.ts";

/**
 * A JSON merge patch (RFC 7396): what is absent stays, `null` removes, and a list replaces the
 * whole list, so that its elements have their required fields.
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

/** What a strategic merge patch may say of an object or a list beside its members. */
export interface StrategicDirectives {
  /** What becomes of the object that is there. @default "merge" */
  readonly $patch?: "replace" | "merge" | "delete" | undefined;
  /** The only members that stay. */
  readonly $retainKeys?: readonly string[] | undefined;
  readonly [order: `$setElementOrder/${string}`]: readonly unknown[];
  readonly [removed: `$deleteFromPrimitiveList/${string}`]: readonly unknown[];
}

/**
 * A strategic merge patch: as {@link MergePatch}, but lists of built-in kinds are merged by their
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
  | { readonly op: "add" | "replace" | "test"; readonly path: string; readonly value: unknown }
  | { readonly op: "remove"; readonly path: string }
  | { readonly op: "move" | "copy"; readonly from: string; readonly path: string };

/** A JSON patch (RFC 6902): operations in order, all of which are done or none. */
export type JsonPatch = readonly JsonPatchOperation[];

/** The kinds of patches, each with what it consists of. */
export interface Patches<T> {
  readonly merge: MergePatch<T>;
  readonly json: JsonPatch;
  readonly strategic: StrategicPatch<T>;
  readonly apply: ApplyConfiguration<T>;
}

/** A patch of one kind; of an object whose type is not known, any object. */
export type PatchOf<T, Type extends keyof Patches<T>> = KubernetesObject extends T
  ? Type extends "json"
    ? JsonPatch
    : object
  : Patches<T>[Type];
