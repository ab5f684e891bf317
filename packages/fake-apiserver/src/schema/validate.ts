import { goJson } from "../base/go-text.ts";
import { memoized, repeatedIndexes } from "../base/read-fields.ts";
import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { supportedFormat, hasFormat } from "./formats.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { oldItemFinder } from "./old-items.ts";
import { matchesPattern } from "./pattern.ts";
import { ProblemWriter } from "./schema-problems.ts";
import { jsonTypeOf, schemaTypes } from "./schema-types.ts";
import { isInt64, isIntegral, validateNumber } from "./validate-number.ts";
import { ValidationResult } from "./validation-result.ts";

/** Options of {@link validateSchema}. */
export interface SchemaValidationOptions {
  /** Path of the value, "" for a whole object. @default "" */
  readonly field?: string | undefined;
  /**
   * The value before an update. Errors of unchanged parts are ignored (ratcheting). List items are
   * only matched in lists of the type map.
   */
  readonly old?: unknown;
}

/**
 * Validates a value against a schema, with the causes and messages of the real server
 * (k8s.io/kube-openapi, as apiextensions-apiserver 0.36 uses it). CEL rules are not evaluated.
 */
export function validateSchema(
  value: unknown,
  schema: JsonSchema,
  options: SchemaValidationOptions = {},
): readonly FieldError[] {
  const { field = "", old } = options;
  const validator = new SchemaValidator(new ProblemWriter(field));
  const before = old === undefined ? undefined : { value: old };
  return validator.validate(value, schema, "", before).errors;
}

type Before = { readonly value: unknown } | undefined;

class SchemaValidator {
  readonly #write: ProblemWriter;

  constructor(write: ProblemWriter) {
    this.#write = write;
  }

  /** Validates a value; errors of an unchanged value are dropped. */
  validate(value: unknown, schema: JsonSchema, name: string, before: Before): ValidationResult {
    const result = this.#check(value, schema, name, before);
    if (result.isValid || before === undefined || !isJsonEqual(before.value, value)) return result;
    return result.forgiven();
  }

  #check(value: unknown, schema: JsonSchema, name: string, before: Before): ValidationResult {
    const result = new ValidationResult();
    this.#checkType(value, schema, name, result);
    if (value === null) {
      this.#checkEnum(value, schema, name, result);
      return result;
    }
    this.#checkAlternatives(value, schema, name, before, result);
    if (typeof value === "string") {
      this.#checkText(value, schema, name, result);
      this.#checkFormat(value, schema, name, result);
    }
    if (typeof value === "number") result.merge(validateNumber(value, schema, name, this.#write));
    if (Array.isArray(value)) this.#checkArray(value, schema, name, before, result);
    this.#checkEnum(value, schema, name, result);
    if (isRecord(value)) this.#checkObject(value, schema, name, before, result);
    result.pass();
    return result;
  }

  #checkType(value: unknown, schema: JsonSchema, name: string, result: ValidationResult): void {
    const types = schemaTypes(schema);
    const format = supportedFormat(schema.type ?? "", schema.format);
    if (types.length === 0 && format === "") return;
    const problem = this.#typeProblem(value, schema, name, types, format);
    result.add(problem);
    if (problem === undefined) result.pass();
    result.pass();
  }

  #typeProblem(
    value: unknown,
    schema: JsonSchema,
    name: string,
    types: readonly string[],
    format: string,
  ): ReturnType<ProblemWriter["wrongType"]> | undefined {
    const actual = typeof value === "number" && isInt64(value) ? "integer" : jsonTypeOf(value);
    const expected = types.join(",");
    if (value === null) {
      if (types.length === 0 || schema.nullable === true) return undefined;
      return this.#write.wrongType(name, expected, actual);
    }
    const isInteger = typeof value === "number" && isIntegral(value) && types.includes("integer");
    const fits =
      types.includes(actual) || isInteger || (actual === "integer" && types.includes("number"));
    const isTextOrList = typeof value === "string" || Array.isArray(value);
    if (format !== "" && isTextOrList && !types.some(isNumeric)) return undefined;
    if (fits) return undefined;
    if (format !== "" && !isTextOrList) {
      // With a format, the server compares formats: Go's number formats, or "" for other types.
      const actualFormat = actual === "integer" ? "int64" : actual === "number" ? "float64" : "";
      return this.#write.wrongType(name, format, actualFormat);
    }
    return this.#write.wrongType(name, expected, actual);
  }

  #checkText(text: string, schema: JsonSchema, name: string, result: ValidationResult): void {
    const { maxLength, minLength, pattern } = schema;
    // Length in code points, not UTF-16 units. Only the first problem is reported.
    const length = maxLength === undefined && minLength === undefined ? 0 : Array.from(text).length;
    if (maxLength !== undefined && length > maxLength) {
      result.add(this.#write.tooLong(name, maxLength));
    } else if (minLength !== undefined && length < minLength) {
      result.add(this.#write.broken(name, text, `should be at least ${minLength} chars long`));
    } else if (pattern !== undefined && pattern !== "" && !matchesPattern(text, pattern)) {
      result.add(this.#write.broken(name, text, `should match '${pattern}'`));
    }
    result.pass();
  }

  #checkFormat(text: string, schema: JsonSchema, name: string, result: ValidationResult): void {
    const format = supportedFormat(schema.type ?? "", schema.format);
    if (format === "") return;
    if (!hasFormat(text, format)) result.add(this.#write.wrongFormat(name, format, text));
    result.pass();
  }

  #checkEnum(value: unknown, schema: JsonSchema, name: string, result: ValidationResult): void {
    const { enum: allowed } = schema;
    if (allowed === undefined || allowed.length === 0) return result.pass();
    const isAllowed = value !== null && enumValues(allowed).has(goJson(value));
    if (!isAllowed) result.add(this.#write.notInEnum(name, value, allowed));
    result.pass();
  }

  #checkArray(
    items: readonly unknown[],
    schema: JsonSchema,
    name: string,
    before: Before,
    result: ValidationResult,
  ): void {
    const { items: itemSchema, minItems, maxItems, uniqueItems } = schema;
    if (itemSchema !== undefined) {
      const findOld = oldItemFinder(schema, before?.value);
      for (const [index, item] of items.entries()) {
        const old = findOld(item);
        result.merge(this.validate(item, itemSchema, `${name}[${index}]`, old));
      }
    }
    const size = items.length;
    if (minItems !== undefined && size < minItems) {
      result.add(this.#write.broken(name, size, `should have at least ${minItems} items`));
    }
    if (maxItems !== undefined && size > maxItems) {
      result.add(this.#write.tooManyItems(name, size, maxItems));
    }
    if (uniqueItems === true && repeatedIndexes(items.map(goJson)).size > 0) {
      result.add(this.#write.broken(name, "", "shouldn't contain duplicates"));
    }
    result.pass();
    result.pass();
  }

  #checkObject(
    object: JsonObject,
    schema: JsonSchema,
    name: string,
    before: Before,
    result: ValidationResult,
  ): void {
    const { properties = {}, additionalProperties, required = [] } = schema;
    const { minProperties, maxProperties } = schema;
    const keys = Object.keys(object);
    if (minProperties !== undefined && keys.length < minProperties) {
      const rule = `should have at least ${minProperties} properties`;
      result.add(this.#write.broken(name, keys.length, rule));
    }
    if (maxProperties !== undefined && keys.length > maxProperties) {
      result.add(this.#write.tooManyProperties(name, keys.length, maxProperties));
    }
    const checkField = (key: string, field: JsonSchema, fieldName: string): void => {
      // The object's own type is never ratcheted: old versions have been converted.
      const isTypeMeta = name === "" && (key === "kind" || key === "apiVersion");
      const old = isTypeMeta ? undefined : fieldBefore(key, before);
      result.merge(this.validate(object[key], field, fieldName, old));
    };
    for (const key of keys) {
      if (Object.hasOwn(properties, key)) continue;
      if (typeof additionalProperties === "object") {
        checkField(key, additionalProperties, `${name}.${key}`);
      } else if (additionalProperties === false) {
        result.add(this.#write.forbiddenProperty(name, key));
      }
    }
    for (const [key, field] of Object.entries(properties)) {
      if (!Object.hasOwn(object, key)) continue;
      checkField(key, field, name === "" ? key : `${name}.${key}`);
    }
    for (const key of required) {
      if (!Object.hasOwn(object, key)) result.add(this.#write.missing(`${name}.${key}`));
    }
    result.pass();
  }

  #checkAlternatives(
    value: unknown,
    schema: JsonSchema,
    name: string,
    before: Before,
    result: ValidationResult,
  ): void {
    const { anyOf = [], oneOf = [], allOf = [], not } = schema;
    const check = (one: JsonSchema): ValidationResult => this.#check(value, one, name, before);
    const quoted = JSON.stringify(name);
    if (anyOf.length > 0) this.#checkAnyOf(quoted, anyOf.map(check), result);
    if (oneOf.length > 0) this.#checkOneOf(quoted, oneOf.map(check), result);
    if (allOf.length > 0) this.#checkAllOf(quoted, allOf.map(check), result);
    if (not !== undefined && check(not).isValid) {
      result.add(this.#write.composite(`${quoted} must not validate the schema (not)`));
    }
    result.pass();
    result.pass();
  }

  #checkAnyOf(
    quoted: string,
    results: readonly ValidationResult[],
    result: ValidationResult,
  ): void {
    const success = results.find(({ isValid }) => isValid);
    if (success === undefined) {
      result.add(this.#write.composite(`${quoted} must validate at least one schema (anyOf)`));
    }
    result.merge(success ?? bestFailure(results));
  }

  #checkOneOf(
    quoted: string,
    results: readonly ValidationResult[],
    result: ValidationResult,
  ): void {
    const [first, ...others] = results.filter(({ isValid }) => isValid);
    if (first !== undefined && others.length === 0) {
      result.merge(first);
      return;
    }
    const found = first === undefined ? "none valid" : `${others.length + 1} valid alternatives`;
    const rule = "must validate one and only one schema (oneOf)";
    result.add(this.#write.composite(`${quoted} ${rule}. Found ${found}`));
    if (first === undefined) result.merge(bestFailure(results));
  }

  #checkAllOf(
    quoted: string,
    results: readonly ValidationResult[],
    result: ValidationResult,
  ): void {
    for (const one of results) result.merge(one);
    const valid = results.filter(({ isValid }) => isValid).length;
    if (valid === results.length) return;
    const addition = valid === 0 ? ". None validated" : "";
    const rule = "must validate all the schemas (allOf)";
    result.add(this.#write.composite(`${quoted} ${rule}${addition}`));
  }
}

function isNumeric(type: string): boolean {
  return type === "number" || type === "integer";
}

const enumValues = memoized((allowed: readonly unknown[]) => new Set(allowed.map(goJson)));

function bestFailure(results: readonly ValidationResult[]): ValidationResult {
  let best: ValidationResult | undefined;
  for (const one of results) {
    if (best === undefined || one.passedChecks > best.passedChecks) best = one;
  }
  return best ?? new ValidationResult();
}

function fieldBefore(key: string, before: Before): Before {
  const old = before?.value;
  return isRecord(old) && Object.hasOwn(old, key) ? { value: old[key] } : undefined;
}
