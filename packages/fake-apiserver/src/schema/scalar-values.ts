import { remembered } from "../base/remembered.ts";
import { canonicalQuantity, quantityProblem } from "./quantity.ts";
import type { ScalarKind } from "./schema-table.ts";
import { describeTime, microTimeLayout, timeLayout } from "./time-problems.ts";

/** A scalar of the wrong type; `wanted` is the expected Go type. */
export class WrongScalar {
  readonly value: unknown;
  readonly wanted: string;

  constructor(value: unknown, wanted: string) {
    this.value = value;
    this.wanted = wanted;
  }
}

/** A malformed scalar; `text` is the complete error message. */
export class MalformedScalar {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const goTypes: Readonly<Partial<Record<ScalarKind, string>>> = {
  string: "string",
  bytes: "[]uint8",
  int32: "int32",
  int64: "int64",
  double: "float64",
  bool: "bool",
};
const maxInt32 = 2 ** 31 - 1;
const minInt32 = -(2 ** 31);

/** Returns the Go type of a scalar. */
export function goTypeOfScalar(kind: ScalarKind): string {
  return goTypes[kind] ?? "string";
}

/** Decodes a scalar into its normal form, or returns its problem. The value must not be null. */
export function decodeScalar(kind: ScalarKind, value: unknown): unknown {
  switch (kind) {
    case "string":
      return typeof value === "string" ? value : new WrongScalar(value, "string");
    case "bool":
      return typeof value === "boolean" ? value : new WrongScalar(value, "bool");
    case "int32":
    case "int64":
      return decodeInteger(kind, value);
    case "double":
      return typeof value === "number" ? value : new WrongScalar(value, "float64");
    case "bytes":
      return typeof value === "string" ? decodeBytes(value) : new WrongScalar(value, "[]uint8");
    case "int-or-string":
      return typeof value === "string" ? value : decodeInteger("int32", value);
    case "quantity":
      return decodeQuantity(value);
    case "time":
    case "micro-time":
      return decodeTime(kind, value);
    case "any":
      break;
  }
  return value;
}

function decodeInteger(kind: "int32" | "int64", value: unknown): unknown {
  if (typeof value !== "number") return new WrongScalar(value, kind);
  const fits = kind === "int64" || (value <= maxInt32 && value >= minInt32);
  return Number.isInteger(value) && fits ? value : new WrongScalar(value, kind);
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function decodeBytes(text: string): unknown {
  const value = text.includes("\n") || text.includes("\r") ? text.replaceAll(/[\r\n]/g, "") : text;
  if (base64.test(value)) return value;
  return new MalformedScalar(`illegal base64 data at input byte ${corruptByte(value)}`);
}

// First invalid byte, or start of an incomplete group of four: encoding/base64, `decodeQuantum`.
function corruptByte(text: string): number {
  const end = text.search(/[^A-Za-z0-9+/]/);
  if (end < 0) return text.length - (text.length % 4);
  const before = end % 4;
  if (text[end] !== "=" || before < 2) return end;
  if (before === 3) return end + 1;
  if (end + 1 === text.length) return text.length;
  return text[end + 1] === "=" ? end + 2 : end;
}

function decodeQuantity(value: unknown): unknown {
  if (typeof value !== "string" && typeof value !== "number") {
    return new MalformedScalar(quantityProblem);
  }
  return canonicalQuantity(String(value)) ?? new MalformedScalar(quantityProblem);
}

const rfc3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const rfc3339Micro = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{6})(Z|[+-]\d\d:\d\d)$/;

// Offsets and fractions are parsed, but not written back.
function decodeTime(kind: "time" | "micro-time", value: unknown): unknown {
  if (typeof value !== "string") return new WrongScalar(value, "string");
  return kind === "time" ? decodeSeconds(value) : decodeMicroseconds(value);
}

const decodeSeconds = remembered((text) => {
  const seconds = rfc3339.test(text) ? secondsOf(text) : undefined;
  return seconds === undefined
    ? new MalformedScalar(describeTime(timeLayout, text))
    : `${seconds}Z`;
});

function decodeMicroseconds(text: string): unknown {
  const match = rfc3339Micro.exec(text);
  const seconds = match === null ? undefined : secondsOf(text);
  if (seconds === undefined) return new MalformedScalar(describeTime(microTimeLayout, text));
  return `${seconds}${match?.[2] ?? ""}Z`;
}

/** A time in UTC without fractions; undefined if the calendar does not have it. */
function secondsOf(text: string): string | undefined {
  const parsed = Date.parse(text);
  return Number.isNaN(parsed) ? undefined : new Date(parsed).toISOString().slice(0, 19);
}
