import type { MutableJsonObject } from "@listwatch/core-fifo/base";
import type { ScalarKind, SchemaField, StructType } from "./schema-table.ts";

const zeros: Readonly<Partial<Record<ScalarKind, unknown>>> = {
  string: "",
  int32: 0,
  int64: 0,
  double: 0,
  bool: false,
  "int-or-string": 0,
  quantity: "0",
};
// Zero structs can be shared because no object is changed in place.
const zeroStructs = new WeakMap<StructType, unknown>();

/** Returns the value Go writes for an empty field: the zero of a scalar, null for lists and maps. */
export function zeroOf({ nullable, type, zeroStruct }: SchemaField): unknown {
  if (nullable) return null;
  if (type.kind === "struct") return zeroStruct ? zeroStructOf(type) : null;
  if (type.kind === "list" || type.kind === "map") return null;
  return zeros[type.kind] ?? null;
}

function zeroStructOf(type: StructType): unknown {
  const known = zeroStructs.get(type);
  if (known !== undefined) return known;
  const zero: MutableJsonObject = {};
  for (const field of type.written) zero[field.name] = zeroOf(field);
  zeroStructs.set(type, zero);
  return zero;
}
