/**
 * What ownership knows of a value's type. A value may be a scalar, a list or a map, and some types
 * allow more than one of these: a number or a text, or any JSON at all.
 */
export interface FieldType {
  readonly scalar?: "boolean" | "numeric" | "string" | "untyped" | undefined;
  readonly list?: ListFields | undefined;
  readonly map?: MapFields | undefined;
}

/** A list: owned as a whole, or item by item. */
export interface ListFields {
  /**
   * The fields that tell the items of a list of maps apart; empty for a list of distinct scalars;
   * `undefined` for a list that is owned as a whole.
   */
  readonly keys: readonly string[] | undefined;
  readonly item: FieldType;
}

/** A map or an object: owned as a whole, or member by member. */
export interface MapFields {
  readonly isAtomic: boolean;
  /** The type of a declared field. */
  fieldOf(name: string): FieldType | undefined;
  /** The type of members that are not declared; without it there may be none. */
  readonly rest?: FieldType | undefined;
  /** The value that the schema gives a field that is missing. */
  defaultOf(name: string): unknown;
}

/** Which of the three a value is taken for. */
export type Shape = "list" | "map" | "scalar";

/** A value of any kind, owned as a whole. */
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

/** A value without a schema: its maps are owned member by member, its lists as a whole. */
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
 * What a value of a type is taken for: what it is, if the type allows that, and otherwise (null, a
 * value that does not fit) the first of map, scalar and list that the type allows.
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

/** The type of a member of a map. */
export function memberType(type: MapFields, name: string): FieldType {
  return type.fieldOf(name) ?? type.rest ?? deducedType;
}
