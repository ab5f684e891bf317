import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";
import { setMember } from "../base/read-fields.ts";
import type { DecodedFrom } from "../input/decode-object.ts";
import { goTypeOf } from "../input/decode.ts";
import { MetaTypeError } from "../input/errors.ts";
import { decodeScalar, goTypeOfScalar, MalformedScalar, WrongScalar } from "./scalar-values.ts";
import type { ScalarType, SchemaField, SchemaType, StructType } from "./schema-table.ts";
import { zeroOf } from "./zero-values.ts";

/** An object decoded by its type. */
export interface TypedObject {
  readonly object: JsonObject;
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
}

/**
 * Decodes an object like Go's decoder and writes it like Go's encoder. Drops unknown fields and
 * empty optional values, fills in required ones, normalizes times and quantities. The result shares
 * unchanged parts.
 *
 * @param from selects the messages: those of the JSON decoder or those of patches
 * @throws {MetaTypeError} if a value has the wrong type
 */
export function decodeTyped(object: JsonObject, type: StructType, from: DecodedFrom): TypedObject {
  const decoder = new TypedDecoder(from);
  const decoded = decoder.struct(object, type);
  const { unknown } = decoder;
  // The JSON decoder reports fields in order of appearance, the one of strategic patches sorted.
  return { object: decoded, unknown: from === "json" ? unknown : unknown.toSorted(compareBytes) };
}

// Structs that take any JSON. Others without fields take none.
const anyJson = /\.(?:FieldsV1|RawExtension)$/;

class TypedDecoder {
  readonly unknown: string[] = [];
  readonly #from: DecodedFrom;
  // Names of fields, indexes of lists, and keys of maps in arrays.
  readonly #path: (string | number | readonly [string])[] = [];
  // Enclosing structs, the innermost last.
  readonly #structs: StructType[] = [];

  constructor(from: DecodedFrom) {
    this.#from = from;
  }

  struct(value: JsonObject, type: StructType): JsonObject {
    if (type.fields.size === 0 && anyJson.test(type.name)) return value;
    this.#structs.push(type);
    let changed: MutableJsonObject | undefined;
    for (const name in value) {
      const given = value[name];
      const decoded = this.#member(type, name, given);
      if (changed === undefined && (decoded === undefined || decoded !== given)) {
        changed = copyUntil(value, name);
      }
      if (changed !== undefined && decoded !== undefined) changed[name] = decoded;
    }
    for (const field of type.written) {
      const { name } = field;
      if (Object.hasOwn(changed ?? value, name)) continue;
      changed ??= { ...value };
      changed[name] = zeroOf(field);
    }
    this.#structs.pop();
    return changed ?? value;
  }

  #member(type: StructType, name: string, given: unknown): unknown {
    const field = type.fields.get(name);
    this.#path.push(name);
    let decoded: unknown;
    if (field === undefined) this.unknown.push(this.#fullPath());
    else if (given !== null) decoded = withoutZero(this.#value(given, field.type), field);
    this.#path.pop();
    return decoded;
  }

  #value(value: unknown, type: SchemaType): unknown {
    if (type.kind === "struct") {
      if (isRecord(value)) return this.struct(value, type);
      return type.name.endsWith(".RawExtension") ? value : this.#refuse(value, type);
    }
    if (type.kind === "list") {
      return Array.isArray(value) ? this.#list(value, type.item) : this.#refuse(value, type);
    }
    if (type.kind === "map") {
      return isRecord(value) ? this.#map(value, type.value) : this.#refuse(value, type);
    }
    return this.#scalar(value, type);
  }

  #list(list: readonly unknown[], item: SchemaType): readonly unknown[] {
    let changed: unknown[] | undefined;
    for (let index = 0; index < list.length; index++) {
      const given = list[index];
      this.#path.push(index);
      const decoded = this.#item(given, item);
      this.#path.pop();
      if (decoded === given && changed === undefined) continue;
      changed ??= list.slice(0, index);
      changed.push(decoded);
    }
    return changed ?? list;
  }

  #map(map: JsonObject, item: SchemaType): JsonObject {
    let changed: MutableJsonObject | undefined;
    for (const key in map) {
      const given = map[key];
      // Fast path: most maps contain strings.
      const isText = typeof given === "string" && item.kind === "string";
      const decoded = isText ? given : this.#entry(given, item, key);
      if (changed === undefined && decoded !== given) changed = copyUntil(map, key);
      if (changed !== undefined) setMember(changed, key, decoded);
    }
    return changed ?? map;
  }

  #entry(value: unknown, type: SchemaType, key: string): unknown {
    this.#path.push([key]);
    const decoded = this.#item(value, type);
    this.#path.pop();
    return decoded;
  }

  // A null item becomes its zero value.
  #item(value: unknown, type: SchemaType): unknown {
    if (value !== null) return this.#value(value, type);
    if (type.kind === "struct") return this.struct({}, type);
    if (type.kind === "list" || type.kind === "map" || type.kind === "any") return null;
    return zeroItems[type.kind] ?? null;
  }

  #scalar(value: unknown, type: ScalarType): unknown {
    const decoded = decodeScalar(type.kind, value);
    if (decoded instanceof MalformedScalar) {
      const isConverted = this.#from === "patch" && type.kind === "bytes";
      throw new MetaTypeError(`${isConverted ? "error decoding from json: " : ""}${decoded.text}`);
    }
    if (!(decoded instanceof WrongScalar)) return decoded;
    if (this.#from === "patch") {
      // Go converts integers without a look at their size.
      if (type.kind === "int32" && typeof value === "number" && Number.isInteger(value)) {
        return Number(BigInt.asIntN(32, BigInt(value)));
      }
      throw new MetaTypeError(describeConversion(value, type, decoded.wanted));
    }
    throw this.#cannotUnmarshal(value, decoded.wanted);
  }

  #refuse(value: unknown, type: SchemaType): never {
    if (this.#from === "patch") {
      const wanted = type.kind === "list" ? "slice from" : `${type.kind} from`;
      const colon = type.kind === "struct" ? ":" : "";
      throw new MetaTypeError(`cannot restore ${wanted}${colon} ${goKindOf(value)}`);
    }
    throw this.#cannotUnmarshal(value, goTypeName(type));
  }

  #cannotUnmarshal(value: unknown, wanted: string): MetaTypeError {
    const struct = this.#structs.at(-1)?.name.split(".").at(-1) ?? "";
    const { path, typeName = wanted } = this.#fieldOfError();
    // Go prints a number that does not fit.
    const isNumber = typeof value === "number" && /^(?:int|float)/.test(wanted);
    const shown = isNumber ? `number ${value}` : goTypeOf(value);
    return new MetaTypeError(
      `json: cannot unmarshal ${shown} into Go struct field ${struct}.${path} of type ${typeName}`,
    );
  }

  // The path including embedded Go structs, and the Go name of its last type.
  #fieldOfError(): { readonly path: string; readonly typeName: string | undefined } {
    const names: string[] = [];
    let at = 0;
    let typeName: string | undefined;
    for (const part of this.#path) {
      if (typeof part === "string") {
        const field = this.#structs[at]?.fields.get(part);
        at++;
        if (field?.embeddedIn !== undefined) names.push(field.embeddedIn);
        names.push(part);
        typeName = field?.typeName;
      } else typeName = typeName?.replace(/^(?:\[\]|map\[[^\]]*\])/, "");
    }
    return { path: names.join("."), typeName };
  }

  #fullPath(): string {
    let path = "";
    for (const part of this.#path) {
      if (typeof part === "number") path += `[${part}]`;
      else path += path === "" ? part : `.${typeof part === "string" ? part : part[0]}`;
    }
    return path;
  }
}

/** Go decodes a null item of a list or map to these. */
const zeroItems: Readonly<Partial<Record<ScalarType["kind"], unknown>>> = {
  string: "",
  int32: 0,
  int64: 0,
  double: 0,
  bool: false,
  quantity: "0",
};

// Empty values that differ from absent ones: the dependencies of a definition's schema
// (apiextensions, `ValidateForbids`), and the policies of an autoscaler, which have a default.
const keptEmpty: ReadonlySet<string> = new Set(["dependencies", "policies"]);

function withoutZero(value: unknown, field: SchemaField): unknown {
  const { omitsZero, type, written } = field;
  if (type.kind === "list") {
    if (!Array.isArray(value) || value.length > 0 || keptEmpty.has(field.name)) return value;
    // Empty lists are not stored.
    return written ? null : undefined;
  }
  if (type.kind === "map") {
    if (!isEmptyObject(value) || keptEmpty.has(field.name)) return value;
    return written ? null : undefined;
  }
  if (type.kind === "bytes" && value === "") return written ? value : undefined;
  if (!omitsZero) return value;
  if (value === "" || value === 0 || value === false) return undefined;
  return type.kind === "struct" && isEmptyObject(value) ? undefined : value;
}

function isEmptyObject(value: unknown): boolean {
  if (!isRecord(value)) return false;
  for (const _ in value) return false;
  return true;
}

function copyUntil(object: JsonObject, end: string): MutableJsonObject {
  const copy: MutableJsonObject = {};
  for (const name in object) {
    if (name === end) break;
    setMember(copy, name, object[name]);
  }
  return copy;
}

function goTypeName(type: SchemaType): string {
  if (type.kind === "struct") return type.name.split(".").slice(-2).join(".");
  if (type.kind === "list") return `[]${goTypeName(type.item)}`;
  if (type.kind !== "map") return goTypeOfScalar(type.kind);
  return type.value.kind === "quantity"
    ? "v1.ResourceList"
    : `map[string]${goTypeName(type.value)}`;
}

/** Name of a value's kind in Go's reflection. */
function goKindOf(value: unknown): string {
  if (Array.isArray(value)) return "slice";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  return typeof value === "object" ? "map" : typeof value === "boolean" ? "bool" : typeof value;
}

// Types that read their own JSON, each with the type that it expects.
const ownTypes: Readonly<Record<string, string>> = {
  "int-or-string": "int32",
  time: "string",
  "micro-time": "string",
};

// k8s.io/apimachinery runtime/converter.go: `fromUnstructured`.
function describeConversion(value: unknown, type: ScalarType, wanted: string): string {
  const ownType = ownTypes[type.kind];
  if (ownType !== undefined) {
    const shown = typeof value === "number" ? `number ${value}` : goTypeOf(value);
    return `json: cannot unmarshal ${shown} into Go value of type ${ownType}`;
  }
  if (type.kind === "bytes") return `cannot restore slice from ${goKindOf(value)}`;
  const isConvertible =
    typeof value === "number" &&
    (wanted !== "string" || Number.isInteger(value)) &&
    wanted !== "bool";
  return isConvertible
    ? `cannot convert ${goKindOf(value)} to ${wanted}`
    : `unrecognized type: ${wanted}`;
}
