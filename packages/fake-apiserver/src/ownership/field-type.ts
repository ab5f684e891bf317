/**
 * Type of a value for field ownership. A value may be a scalar, a list or a map; some types allow
 * several of them, such as a number or a string, or any JSON.
 */
export interface FieldType {
  readonly scalar?: "boolean" | "numeric" | "string" | "untyped" | undefined;
  readonly list?: ListFields | undefined;
  readonly map?: MapFields | undefined;
}

/** A list, owned as a whole or item by item. */
export interface ListFields {
  /**
   * Fields that identify the items of a list of maps. Empty for a list of distinct scalars,
   * `undefined` for a list that is owned as a whole.
   */
  readonly keys: readonly string[] | undefined;
  readonly item: FieldType;
}

/** A map or an object, owned as a whole or member by member. */
export interface MapFields {
  readonly isAtomic: boolean;
  /** Returns the type of a declared field. */
  fieldOf(name: string): FieldType | undefined;
  /** Type of undeclared members; without it they are not allowed. */
  readonly rest?: FieldType | undefined;
  /** Returns the schema's default for a missing field. */
  defaultOf(name: string): unknown;
}

/** Interpretation of a value. */
export type Shape = "list" | "map" | "scalar";

/** Any value, owned as a whole. */
export const atomicType: FieldType = {
  scalar: "untyped",
  list: {
    keys: undefined,
    get item() {
      return atomicType;
    },
  },
  map: {
    isAtomic: true,
    fieldOf: () => undefined,
    get rest() {
      return atomicType;
    },
    defaultOf: () => undefined,
  },
};

/** A value without a schema: maps are owned member by member, lists as a whole. */
export const deducedType: FieldType = {
  scalar: "untyped",
  list: { keys: undefined, item: atomicType },
  map: {
    isAtomic: false,
    fieldOf: () => undefined,
    get rest() {
      return deducedType;
    },
    defaultOf: () => undefined,
  },
};

/**
 * Returns the value's own shape if the type allows it. For null and mismatches, returns the first
 * of map, scalar and list that the type allows.
 */
export function shapeOf(type: FieldType, value: unknown): Shape {
  const own = ownShape(value);
  if (own !== undefined && type[own] !== undefined) return own;
  if (type.map !== undefined) return "map";
  return type.scalar === undefined ? "list" : "scalar";
}

function ownShape(value: unknown): Shape | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object") return "scalar";
  return Array.isArray(value) ? "list" : "map";
}

/** Returns the type of a map's member. */
export function memberType(type: MapFields, name: string): FieldType {
  return type.fieldOf(name) ?? type.rest ?? deducedType;
}
