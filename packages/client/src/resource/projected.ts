import {
  createInvalidOptionError,
  type Incomplete,
  type KubernetesObject,
  type ObjectMeta,
} from "@listwatch/core-fifo/base";

/**
 * A member of an object: the names of members from the object down to it, with dots between them,
 * such as `spec.nodeName`, or in an array, in which a name may have any characters: `["metadata",
 * "labels", "app.kubernetes.io/name"]`. A list is kept as a whole, by its own path
 * (`spec.containers`); no path leads to parts of its elements.
 */
export type FieldPath = string | readonly string[];

/**
 * In texts that are no paths but a JSONPath, a pointer, a pattern or several paths, and in those
 * below a label or an annotation, whose name has dots then. They would keep nothing.
 */
const notInPath = /[\s[\]{}$*/\\"'`,]|^metadata(\..*){3}/;

/**
 * The names in each path.
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

/** The names in a path. */
export type NamesInPath<Path> = Path extends readonly string[]
  ? Path
  : Path extends `${infer Name}.${infer Rest}`
    ? readonly [Name, ...NamesInPath<Rest>]
    : readonly [Path];

/** What is behind this name in the paths that begin with it. */
export type RestOfNames<Names, Name> = Names extends readonly [infer First, ...infer Rest]
  ? Name extends First
    ? Rest
    : never
  : never;

/** The first name in a path. */
export type FirstName<Names> = Names extends readonly [infer First, ...unknown[]] ? First : never;

/** A value of which some members are kept, or all; on the way to them only objects are kept. */
export type PickedValue<V, Names> = true extends (Names extends readonly [] ? true : never)
  ? V
  : V extends readonly unknown[]
    ? undefined
    : V extends object
      ? PickedFields<V, Names>
      : V extends undefined
        ? V
        : undefined;

/** A map, such as labels, has the members that were named, or not; a type has its own. */
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

/** What is known of any projected object. */
export interface ProjectedIdentity {
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly metadata?:
    | Pick<ObjectMeta, "name" | "namespace" | "uid" | "resourceVersion">
    | undefined;
}

/** The paths that every projected object has. */
export type IdentityNames =
  | readonly ["apiVersion" | "kind"]
  | readonly ["metadata", "name" | "namespace" | "uid" | "resourceVersion"];

/**
 * An object of which only some members were kept, besides its identity: `Projected<Pod,
 * "spec.nodeName" | "status.phase">`. Others do not exist for the compiler. It is no whole object,
 * and must not be written back; clients and `mutableCopy` refuse it by type.
 */
export type Projected<T, Path extends FieldPath> = PickedFields<
  T,
  IdentityNames | NamesInPath<Path>
> &
  ProjectedIdentity &
  Incomplete;

/**
 * An object of which a server was asked for the metadata only. It is no whole object, and must not
 * be written back; clients and `mutableCopy` refuse it by type.
 */
export type PartialObjectMetadata<T = KubernetesObject> = Pick<T, keyof T & "metadata"> &
  Pick<KubernetesObject, "apiVersion" | "kind"> &
  Incomplete;

/**
 * What is kept of each `T`: a {@link Projected} one if fields were asked for, a
 * {@link PartialObjectMetadata} if metadata only, else all of it.
 */
export type Kept<T, Fields, MetadataOnly = undefined> = [MetadataOnly] extends [true]
  ? KeptFields<PartialObjectMetadata<T>, Fields>
  : KeptFields<T, Fields>;

/** The objects of {@link Kept}, from whole ones or their metadata. */
export type KeptFields<T, Fields> = Fields extends readonly FieldPath[]
  ? Projected<T, Fields[number]>
  : T;
