import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { textOf } from "../base/go-text.ts";
import { MalformedBodyError } from "../input/errors.ts";

/** Conversion of a message that is not an object in JSON. */
export interface SpecialForm {
  /** Returns the JSON value of decoded fields; undefined for none. */
  toJson(fields: JsonObject): unknown;
  /** Returns the fields to write; the value is undefined if it is absent. */
  fromJson(value: unknown): JsonObject;
}

/** Messages with JSON in their only field. */
export const jsonMessages: ReadonlySet<string> = new Set(["RawExtension", "FieldsV1", "JSON"]);

const nanosPerMicro = 1000;
// Range of RFC 3339.
const firstSecond = Date.parse("0001-01-01T00:00:00Z") / 1000;
const lastSecond = Date.parse("9999-12-31T23:59:59Z") / 1000;

// Kubernetes keeps whole seconds only; the zero time is a message without fields.
const time: SpecialForm = {
  toJson: (fields) => {
    const seconds = secondsOf(fields);
    return seconds === undefined ? undefined : `${seconds}Z`;
  },
  fromJson: (value) => (typeof value === "string" ? { seconds: secondsIn(value), nanos: 0 } : {}),
};

const microTime: SpecialForm = {
  toJson: (fields) => {
    const seconds = secondsOf(fields);
    if (seconds === undefined) return undefined;
    const micros = Math.trunc(Number(fields["nanos"] ?? 0) / nanosPerMicro);
    return `${seconds}.${String(micros).padStart(6, "0")}Z`;
  },
  fromJson: (value) => {
    if (typeof value !== "string") return {};
    const [, fraction = ""] = /\.(\d{1,6})/.exec(value) ?? [];
    const nanos = Number(fraction.padEnd(6, "0")) * nanosPerMicro;
    return { seconds: secondsIn(value), nanos };
  },
};

function secondsOf({ nanos, seconds }: JsonObject): string | undefined {
  if (seconds === undefined && nanos === undefined) return undefined;
  const whole = Number(seconds ?? 0);
  if (whole < firstSecond || whole > lastSecond) {
    throw new MalformedBodyError(`cannot write the time ${whole} s after 1970`);
  }
  return new Date(whole * 1000).toISOString().slice(0, 19);
}

function secondsIn(text: string): number {
  return Math.floor(Date.parse(text) / 1000);
}

const quantity: SpecialForm = {
  toJson: ({ string }) => string ?? "0",
  fromJson: (value) => ({ string: textOf(value ?? "0") }),
};

const intOrString: SpecialForm = {
  toJson: ({ intVal, strVal, type }) => (type === 1 ? (strVal ?? "") : (intVal ?? 0)),
  fromJson: (value) =>
    typeof value === "string"
      ? { type: 1, intVal: 0, strVal: value }
      : { type: 0, intVal: value ?? 0, strVal: "" },
};

const schemaOrBool: SpecialForm = {
  toJson: ({ allows, schema }) => schema ?? allows ?? false,
  fromJson: (value) =>
    isRecord(value) ? { allows: true, schema: value } : { allows: value === true },
};

function schemaOrList(list: string): SpecialForm {
  return {
    toJson: (fields) => fields[list] ?? fields["schema"] ?? null,
    fromJson: (value) => ({ [Array.isArray(value) ? list : "schema"]: value }),
  };
}

/** Conversions by message name. */
export const specialForms: ReadonlyMap<string, SpecialForm> = new Map([
  ["Time", time],
  ["MicroTime", microTime],
  ["Quantity", quantity],
  ["IntOrString", intOrString],
  ["JSONSchemaPropsOrBool", schemaOrBool],
  ["JSONSchemaPropsOrArray", schemaOrList("jSONSchemas")],
  ["JSONSchemaPropsOrStringArray", schemaOrList("property")],
]);
