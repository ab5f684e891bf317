import {
  createInvalidOptionError,
  type Incomplete,
  type KubernetesObject,
  type ObjectMeta,
} from "@listwatch/core-fifo/base";

/**
 * Path of an object's member: names joined by dots, such as `spec.nodeName`, or an array of names,
 * which may contain any characters: `["metadata", "labels", "app.kubernetes.io/name"]`. A list is
 * kept as a whole, by its path (`spec.containers`); paths cannot select parts of its elements.
 */
export type FieldPath = string | readonly string[];

/**
 * Matches strings that are not paths but a JSONPath, a pointer, a pattern or several paths, and
 * paths below a label or annotation, whose name contains dots. They would match nothing.
 */
const notInPath = /[\s[\]{}$*/\\"'`,]|^metadata(\..*){3}/;

/**
 * Returns the names of each path.
 *
 * @throws {InvalidOptionsError} if it is not an array of paths
 */
export function namesOfFields(fields: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(fields)) throw invalid(fields);
  return fields.map((path: unknown) => {
    const isText = typeof path === "string" && !notInPath.test(path);
    const names: unknown = isText ? path.split(".") : path;
    if (!isNames(names)) throw invalid(path);
    return names;
  });
}

function isNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((name) => typeof name === "string" && name !== "" && name !== "__proto__")
  );
}

function invalid(path: unknown): Error {
  const expected = 'paths such as "spec.nodeName" or ["metadata", "labels", "example.com/app"]';
  return createInvalidOptionError("fields", expected, path);
}

/** Names of a path. */
export type NamesInPath<Path> = Path extends readonly string[]
  ? Path
  : Path extends `${infer Name}.${infer Rest}`
    ? readonly [Name, ...NamesInPath<Rest>]
    : readonly [Path];

/** Remaining names of the paths that start with this name. */
export type RestOfNames<Names, Name> = Names extends readonly [infer First, ...infer Rest]
  ? Name extends First
    ? Rest
    : never
  : never;

/** The first name in a path. */
export type FirstName<Names> = Names extends readonly [infer First, ...unknown[]] ? First : never;

/** A value with some or all members kept. Along the paths only objects are kept. */
export type PickedValue<V, Names> = true extends (Names extends readonly [] ? true : never)
  ? V
  : V extends readonly unknown[]
    ? undefined
    : V extends object
      ? PickedFields<V, Names>
      : V extends undefined
        ? V
        : undefined;

/** A map, such as labels, has the named members or not; another type has its own. */
export type PickedFields<T, Names> = string extends keyof T
  ? {
      readonly [Name in FirstName<Names> & string]?: PickedValue<
        T[keyof T],
        RestOfNames<Names, Name>
      >;
    }
  : {
      [Name in keyof T as Name extends FirstName<Names> ? Name : never]: PickedValue<
        T[Name],
        RestOfNames<Names, Name>
      >;
    };

/** Members of every projected object. */
export interface ProjectedIdentity {
  /** Group and version, such as `apps/v1`. Absent if the list leaves it out for its items. */
  readonly apiVersion?: string | undefined;
  /** Kind, such as `Deployment`. Absent if the list leaves it out for its items. */
  readonly kind?: string | undefined;
  /** Identity and state of the object. Other metadata is only kept if a path names it. */
  readonly metadata?:
    | Pick<ObjectMeta, "name" | "namespace" | "uid" | "resourceVersion">
    | undefined;
}

/** The paths that every projected object has. */
export type IdentityNames =
  | readonly ["apiVersion" | "kind"]
  | readonly ["metadata", "name" | "namespace" | "uid" | "resourceVersion"];

/**
 * An object with some members kept, in addition to its identity: `Projected<Pod, "spec.nodeName" |
 * "status.phase">`. Other members do not exist for the compiler. It is incomplete: clients and
 * `mutableCopy` refuse it by type, and an update with it, or a copy of it, is refused with a
 * {@link DroppedFieldsError}.
 */
export type Projected<T, Path extends FieldPath> = PickedFields<
  T,
  IdentityNames | NamesInPath<Path>
> &
  ProjectedIdentity &
  Incomplete;

/**
 * An object with metadata only, as requested from the server. It is incomplete: clients and
 * `mutableCopy` refuse it by type, and an update with it is refused with a
 * {@link DroppedFieldsError}.
 */
export type PartialObjectMetadata<T = KubernetesObject> = Pick<T, keyof T & "metadata"> &
  Pick<KubernetesObject, "apiVersion" | "kind"> &
  Incomplete;

/**
 * Kept form of a `T`: {@link Projected} if fields were requested, {@link PartialObjectMetadata} if
 * only metadata was, otherwise all of it.
 */
export type Kept<T, Fields, MetadataOnly = undefined> = [MetadataOnly] extends [true]
  ? KeptFields<PartialObjectMetadata<T>, Fields>
  : KeptFields<T, Fields>;

/** The objects of {@link Kept}, from whole ones or their metadata. */
export type KeptFields<T, Fields> = Fields extends readonly FieldPath[]
  ? Projected<T, Fields[number]>
  : T;
