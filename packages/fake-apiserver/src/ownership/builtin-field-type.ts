import type { MutableJsonObject } from "@listwatch/core-fifo/base";
import type { ScalarKind, SchemaField, SchemaType, StructType } from "../schema/schema-table.ts";
import { zeroOf as zeroValueOf } from "../schema/zero-values.ts";
import {
  atomicType,
  deducedType,
  type FieldType,
  type ListFields,
  type MapFields,
} from "./field-type.ts";

// Any JSON, although its schema says object.
const rawExtension = "io.k8s.apimachinery.pkg.runtime.RawExtension";

const scalarTypes: Readonly<Record<ScalarKind, FieldType>> = {
  string: { scalar: "string" },
  bytes: { scalar: "string" },
  int32: { scalar: "numeric" },
  int64: { scalar: "numeric" },
  double: { scalar: "numeric" },
  bool: { scalar: "boolean" },
  any: atomicType,
  time: { scalar: "untyped" },
  "micro-time": { scalar: "untyped" },
  quantity: { scalar: "untyped" },
  "int-or-string": { scalar: "untyped" },
};

/** Types are circular and needed at every write. */
const structs = new WeakMap<StructType, FieldType>();

/** Returns the field type of a built-in object. */
export function builtinFieldType(struct: StructType): FieldType {
  let type = structs.get(struct);
  if (type === undefined) {
    type = struct.name === rawExtension ? atomicType : { map: mapOf(struct) };
    structs.set(struct, type);
  }
  return type;
}

function mapOf(struct: StructType): MapFields {
  const fields = new Map<string, FieldType>();
  return {
    isAtomic: struct.atomic,
    rest: struct.fields.size === 0 ? deducedType : undefined,
    fieldOf(name) {
      const known = fields.get(name);
      if (known !== undefined) return known;
      const field = struct.fields.get(name);
      const type = field && fieldType(field);
      if (type !== undefined) fields.set(name, type);
      return type;
    },
    defaultOf: (name) => struct.fields.get(name)?.defaultValue,
  };
}

function fieldType({ type, ...field }: SchemaField): FieldType {
  if (type.kind === "list") return { list: listOf(type.item, field) };
  const found = typeOf(type);
  const { atomicMap: isAtomic } = field;
  if (found.map === undefined || isAtomic === undefined) return found;
  return found.map.isAtomic === isAtomic ? found : { ...found, map: { ...found.map, isAtomic } };
}

function typeOf(type: SchemaType): FieldType {
  if (type.kind === "struct") return builtinFieldType(type);
  if (type.kind === "list") return { list: { keys: undefined, item: typeOf(type.item) } };
  return type.kind === "map" ? { map: mapWithValues(type.value) } : scalarTypes[type.kind];
}

function mapWithValues(value: SchemaType): MapFields {
  return {
    isAtomic: false,
    rest: typeOf(value),
    fieldOf: () => undefined,
    defaultOf: () => undefined,
  };
}

function listOf(
  item: SchemaType,
  { listKeys, listType, mergeKey, patchStrategies }: Omit<SchemaField, "type">,
): ListFields {
  let keys: readonly string[] | undefined;
  if (listType === "map") keys = listKeys;
  else if (listType === "set") keys = [];
  else if (listType === undefined && patchStrategies.includes("merge")) {
    keys = mergeKey === undefined ? [] : [mergeKey];
  }
  let known: FieldType | undefined;
  return {
    keys,
    // A type may contain a list of itself.
    get item() {
      return (known ??= typeOf(item));
    },
  };
}

/**
 * Returns the empty object that the server compares a new one with: structs and fields that are
 * written even if they are empty.
 */
export function zeroOf(struct: StructType): MutableJsonObject {
  const zero: MutableJsonObject = {};
  for (const field of struct.fields.values()) {
    const { name, type, written, zeroStruct } = field;
    if (zeroStruct && type.kind === "struct") zero[name] = zeroOf(type);
    else if (written) zero[name] = zeroValueOf(field);
  }
  return zero;
}
