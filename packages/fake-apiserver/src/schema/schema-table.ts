import { inRealTime, isRecord } from "@listwatch/core-fifo/base";

/** A type other than a struct, list or map. */
export type ScalarKind =
  | "string"
  | "bytes"
  | "int32"
  | "int64"
  | "double"
  | "bool"
  | "time"
  | "micro-time"
  | "quantity"
  | "int-or-string"
  | "any";

/** A type of built-in kinds. */
export type SchemaType = StructType | ListType | MapType | ScalarType;

/** An object with declared fields. */
export interface StructType {
  readonly kind: "struct";
  /** Name in OpenAPI: `io.k8s.api.core.v1.Container`. */
  readonly name: string;
  readonly fields: ReadonlyMap<string, SchemaField>;
  /** Fields that are written even if they are empty. */
  readonly written: readonly SchemaField[];
  /** Whether field ownership treats it as one value. */
  readonly atomic: boolean;
}

export interface ListType {
  readonly kind: "list";
  readonly item: SchemaType;
}

export interface MapType {
  readonly kind: "map";
  readonly value: SchemaType;
}

export interface ScalarType {
  readonly kind: ScalarKind;
}

/** A field of a struct. */
export interface SchemaField {
  readonly name: string;
  readonly type: SchemaType;
  /** How field ownership and apply treat a list. @default "atomic" */
  readonly listType: "atomic" | "set" | "map" | undefined;
  /** Fields that identify the items of a list for apply. */
  readonly listKeys: readonly string[];
  /** Whether field ownership treats the map as one value; undefined: depends on its type. */
  readonly atomicMap: boolean | undefined;
  /** Strategies of strategic merge patch: `merge`, `replace`, `retainKeys` or two of them. */
  readonly patchStrategies: readonly string[];
  /** Field that identifies the items of a list for strategic merge patch. */
  readonly mergeKey: string | undefined;
  /** Default declared in the schema, including zero values. */
  readonly defaultValue: unknown;
  /** Whether an absent struct equals `{}`. */
  readonly zeroStruct: boolean;
  readonly required: boolean;
  /** Whether it is written when empty: as the zero value of its type, null for lists and maps. */
  readonly written: boolean;
  /** Whether it is null instead of the zero value when empty. */
  readonly nullable: boolean;
  /** Whether zero values (0, false and "") are omitted. */
  readonly omitsZero: boolean;
  /** Type name in errors, if it differs from the JSON type. */
  readonly typeName: string | undefined;
  /** Embedded structs that errors name before the field. */
  readonly embeddedIn: string | undefined;
  /** Checks that the tags of the Go type declare: `required`, `maxItems=4`. */
  readonly checks: readonly string[];
}

/** Types of all built-in kinds. */
export interface SchemaTable {
  /** Returns the type of a kind. */
  typeOf(apiVersion: string, kind: string): StructType | undefined;
  /** Returns a type by its OpenAPI name. */
  type(name: string): SchemaType | undefined;
  /** Number of types. */
  readonly size: number;
}

let table: SchemaTable | undefined;
let loading: Promise<SchemaTable> | undefined;

/** Loads the table once per process: a module of 120 kB. Takes some milliseconds. */
export function loadSchemaTable(): Promise<SchemaTable> {
  loading ??= inRealTime(
    import("./schema-table.generated.ts").then(({ schemaTableJson }) => {
      table = readSchemaTable(schemaTableJson);
      return table;
    }),
  );
  return loading;
}

/** Returns the table if it has been loaded. */
export function loadedSchemaTable(): SchemaTable | undefined {
  return table;
}

/** Attributes of a field: l list type, k keys, m map type, p strategy, g merge key, n name … */
interface Attributes {
  readonly l?: "atomic" | "set" | "map";
  readonly k?: readonly string[];
  readonly m?: "atomic" | "granular";
  readonly p?: string;
  readonly g?: string;
  readonly d?: unknown;
  readonly z?: 1;
  readonly r?: 1;
  readonly w?: 1 | 2;
  readonly o?: 1;
  readonly n?: string;
  readonly i?: string;
  readonly c?: readonly string[];
}

type TypeCode = string | number | readonly [TypeCode] | { readonly "*": TypeCode };
type FieldCode = TypeCode | readonly [TypeCode, Attributes];
type Entry = readonly [
  name: string,
  type: string | Readonly<Record<string, FieldCode>>,
  attributes?: Attributes,
];

interface TableCode {
  readonly types: readonly Entry[];
  readonly kinds: Readonly<Record<string, number>>;
}

const scalars: Readonly<Record<string, ScalarType>> = {
  s: { kind: "string" },
  sy: { kind: "bytes" },
  i4: { kind: "int32" },
  i8: { kind: "int64" },
  nd: { kind: "double" },
  b: { kind: "bool" },
  t: { kind: "time" },
  tm: { kind: "micro-time" },
  q: { kind: "quantity" },
  x: { kind: "int-or-string" },
  "?": { kind: "any" },
};
const anyType: ScalarType = { kind: "any" };
const noAttributes: Attributes = {};
const noChecks: readonly string[] = [];

/** Types are created on first access: a Pod needs 130 of 578. */
function readSchemaTable(json: string): SchemaTable {
  const code: unknown = JSON.parse(json);
  if (!isTable(code)) throw new TypeError("Expected a table of types");
  const { kinds, types } = code;
  const made: (SchemaType | undefined)[] = [];
  const at = (index: number): SchemaType => {
    const entry = types[index];
    if (entry === undefined) return anyType;
    const [name, fields, attributes = noAttributes] = entry;
    return (made[index] ??=
      typeof fields === "string"
        ? (scalars[fields] ?? anyType)
        : new Struct(name, fields, attributes.m === "atomic", at));
  };
  return {
    size: types.length,
    typeOf: (apiVersion, kind) => {
      const index = kinds[`${apiVersion} ${kind}`];
      const type = index === undefined ? undefined : at(index);
      return type?.kind === "struct" ? type : undefined;
    },
    type: (name) => {
      const index = types.findIndex(([one]) => one === name);
      return index < 0 ? undefined : at(index);
    },
  };
}

type TypeAt = (index: number) => SchemaType;

/** Fields are read on first access because types are circular. */
class Struct implements StructType {
  readonly kind = "struct";
  readonly name: string;
  readonly atomic: boolean;
  readonly #codes: Readonly<Record<string, FieldCode>>;
  readonly #at: TypeAt;
  #fields: ReadonlyMap<string, SchemaField> | undefined;
  #written: readonly SchemaField[] | undefined;

  constructor(
    name: string,
    codes: Readonly<Record<string, FieldCode>>,
    atomic: boolean,
    at: TypeAt,
  ) {
    this.name = name;
    this.atomic = atomic;
    this.#codes = codes;
    this.#at = at;
  }

  get fields(): ReadonlyMap<string, SchemaField> {
    return (this.#fields ??= new Map(
      Object.entries(this.#codes).map(([name, code]) => [name, readField(name, code, this.#at)]),
    ));
  }

  get written(): readonly SchemaField[] {
    return (this.#written ??= [...this.fields.values()].filter(({ written }) => written));
  }
}

function readField(name: string, code: FieldCode, at: TypeAt): SchemaField {
  const [type, attributes] = hasAttributes(code) ? code : [code, noAttributes];
  return {
    name,
    type: readType(type, at),
    listType: attributes.l,
    listKeys: attributes.k ?? [],
    atomicMap: attributes.m && attributes.m === "atomic",
    patchStrategies: attributes.p?.split(",") ?? [],
    mergeKey: attributes.g,
    defaultValue: attributes.d,
    zeroStruct: attributes.z === 1,
    required: attributes.r === 1,
    written: attributes.w !== undefined,
    nullable: attributes.w === 2,
    omitsZero: attributes.o === 1,
    typeName: attributes.n,
    embeddedIn: attributes.i,
    checks: attributes.c ?? noChecks,
  };
}

function readType(code: TypeCode, at: TypeAt): SchemaType {
  if (typeof code === "number") return at(code);
  if (typeof code === "string") return scalars[code] ?? anyType;
  if ("*" in code) return { kind: "map", value: readType(code["*"], at) };
  return { kind: "list", item: readType(code[0], at) };
}

function hasAttributes(code: FieldCode): code is readonly [TypeCode, Attributes] {
  return Array.isArray(code) && code.length === 2;
}

// Only tells the generated table from other values.
function isTable(code: unknown): code is TableCode {
  return isRecord(code) && Array.isArray(code["types"]) && isRecord(code["kinds"]);
}
