import type { JsonObject, MutableJsonObject } from "@listwatch/core-fifo/base";
import { setMember } from "../base/read-fields.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import type { MessageField, MessageLiteral } from "./message-literals.ts";
import type { CelFunction } from "./operators.ts";
import {
  Duration,
  isFielded,
  keysOf,
  memberOf,
  ObjectValue,
  Optional,
  presentOf,
  Timestamp,
  UnsignedInt,
} from "./values.ts";

/** The value of a literal such as `Object.spec{replicas: 3}`. */
export class MessageValue extends ObjectValue {
  /** `Object`, `Object.spec` … or `JSONPatch`. */
  readonly type: string;

  constructor(type: string, fields: ReadonlyMap<string, unknown>) {
    super([...fields.keys()], (name) => fields.get(name));
    this.type = type;
  }
}

/** The type and the fields of a literal, as a value that its call receives. */
export class LiteralConstant {
  readonly type: string;
  readonly fields: readonly MessageField[];

  constructor({ fields, type }: MessageLiteral) {
    this.type = type;
    this.fields = fields;
  }
}

/** Functions of patches: k8s.io/apiserver pkg/cel/library/jsonpatch.go, and literals. */
export const patchFunctions: Readonly<Record<string, CelFunction>> = {
  "jsonpatch.escapeKey": (key) => {
    if (typeof key !== "string") throw noSuchOverload();
    return key.replaceAll(/[~/]/g, (character) => (character === "/" ? "~1" : "~0"));
  },
  message: (literal, values) => {
    if (!(literal instanceof LiteralConstant) || !Array.isArray(values)) throw noSuchOverload();
    const fields = new Map<string, unknown>();
    for (const [index, { isOptional, name }] of literal.fields.entries()) {
      const value: unknown = values[index];
      for (const one of isOptional ? presentOf(value) : [value]) fields.set(name, one);
    }
    return new MessageValue(literal.type, fields);
  },
};

/**
 * Lists the literals inside of a value whose types are not those of their places, such as
 * `Object.metadata{}` in the field `spec`.
 */
export function misplacedTypes(value: unknown, path: string): readonly string[] {
  const problems: string[] = [];
  if (value instanceof MessageValue && value.type !== path) {
    const expected = `expected ${JSON.stringify(path)}`;
    const why = "which matches field name path from root Object type";
    problems.push(`unexpected type name ${JSON.stringify(value.type)}, ${expected}, ${why}`);
  }
  if (Array.isArray(value)) {
    for (const item of value) problems.push(...misplacedTypes(item, path));
  } else if (isFielded(value)) {
    const isMessage = value instanceof MessageValue;
    for (const key of keysOf(value)) {
      const nested = isMessage ? `${path}.${String(key)}` : path;
      problems.push(...misplacedTypes(memberOf(value, key), nested));
    }
  }
  return problems;
}

/** Converts a value of the language to JSON. @throws {CelFailure} for a value without a form */
export function jsonOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return value;
  if (Array.isArray(value)) return value.map(jsonOf);
  if (isFielded(value)) return objectOf(value);
  if (value instanceof UnsignedInt) return Number(value.valueOf());
  if (value instanceof Uint8Array) return btoa(String.fromCharCode(...value));
  if (value instanceof Timestamp) {
    const time = new Date(Number(value.nanos / 1_000_000n)).toISOString();
    return time.replace(/\.000Z$/, "Z");
  }
  if (value instanceof Duration) return `${Number(value.nanos) / 1e9}s`;
  if (value instanceof Optional) return value.hasValue() ? jsonOf(value.value()) : null;
  throw new CelFailure("unsupported conversion to JSON");
}

function objectOf(value: ObjectValue | Map<unknown, unknown>): JsonObject {
  const object: MutableJsonObject = {};
  for (const key of keysOf(value)) {
    if (typeof key !== "string") {
      throw new CelFailure(`map key ${JSON.stringify(String(key))} is not a string`);
    }
    setMember(object, key, jsonOf(memberOf(value, key)));
  }
  return object;
}
