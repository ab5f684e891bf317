import { goNumber } from "../base/go-text.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import type { ProblemWriter } from "./schema-problems.ts";
import { schemaTypes } from "./schema-types.ts";
import { ValidationResult } from "./validation-result.ts";

const maxInt32 = 2 ** 31 - 1;
const minInt32 = -(2 ** 31);
const maxInt64 = 2 ** 63;
const maxFloat32 = 3.402_823_466_385_288_6e38;
/** Larger floats are not treated as integers (go-openapi/swag, maxJSONFloat). */
const maxExact = 2 ** 53 - 1;
/** go-openapi/swag, epsilon: floats this close to an integer count as integers. */
const epsilon = 1e-9;

/**
 * Whether the server holds a number as an int64 instead of a float. 2^63 counts too: JavaScript
 * cannot distinguish it from the greatest int64, 2^63 - 1.
 */
export function isInt64(value: number): boolean {
  return Number.isInteger(value) && value <= maxInt64 && value >= -maxInt64;
}

/** Whether a float counts as an integer. */
export function isIntegral(value: number): boolean {
  if (Math.abs(value) > maxExact) return false;
  return Math.abs(value - Math.trunc(value)) < epsilon;
}

/** Checks bounds, multipleOf and the range of the number's type. */
export function validateNumber(
  value: number,
  schema: JsonSchema,
  name: string,
  write: ProblemWriter,
): ValidationResult {
  const check = new NumberCheck(value, schema, name, write);
  return check.run();
}

class NumberCheck {
  readonly #value: number;
  readonly #schema: JsonSchema;
  readonly #name: string;
  readonly #write: ProblemWriter;
  readonly #result = new ValidationResult();
  readonly #type: string;

  constructor(value: number, schema: JsonSchema, name: string, write: ProblemWriter) {
    this.#value = value;
    this.#schema = schema;
    this.#name = name;
    this.#write = write;
    const types = schemaTypes(schema);
    // An ambiguous type has no range.
    this.#type = types.length === 1 ? (types[0] ?? "") : "";
  }

  run(): ValidationResult {
    this.#checkRange(this.#value, "Checked");
    this.#checkMultiple();
    this.#checkMinimum();
    this.#checkMaximum();
    this.#result.pass();
    return this.#result;
  }

  #checkMultiple(): void {
    const { multipleOf: factor } = this.#schema;
    if (factor === undefined) return;
    const exact = this.#checkRange(factor, "MultipleOf") && isInt64(this.#value);
    const unit = exact ? Math.trunc(factor) : factor;
    if (unit <= 0) {
      const subject = `factor MultipleOf declared for ${this.#name}`;
      const text = `${subject} must be positive: ${goNumber(unit)}`;
      this.#result.add(this.#write.about(this.#name, unit, text));
      return;
    }
    const multiple = unit < 1 ? (1 / unit) * this.#value : this.#value / unit;
    const isMultiple = exact ? this.#value % unit === 0 : isIntegral(multiple);
    if (!isMultiple) this.#broken(`should be a multiple of ${goNumber(unit)}`);
  }

  #checkMinimum(): void {
    const { minimum, exclusiveMinimum = false } = this.#schema;
    if (minimum === undefined) return;
    const bound = this.#bound(minimum, "Minimum boundary");
    if (exclusiveMinimum ? this.#value > bound : this.#value >= bound) return;
    const relation = exclusiveMinimum ? "greater than" : "greater than or equal to";
    this.#broken(`should be ${relation} ${goNumber(bound)}`);
  }

  #checkMaximum(): void {
    const { maximum, exclusiveMaximum = false } = this.#schema;
    if (maximum === undefined) return;
    const bound = this.#bound(maximum, "Maximum boundary");
    if (exclusiveMaximum ? this.#value < bound : this.#value <= bound) return;
    const relation = exclusiveMaximum ? "less than" : "less than or equal to";
    this.#broken(`should be ${relation} ${goNumber(bound)}`);
  }

  /** Integers are compared with a bound's integer part if the bound fits the type. */
  #bound(bound: number, title: string): number {
    return this.#checkRange(bound, title) && isInt64(this.#value) ? Math.trunc(bound) : bound;
  }

  #checkRange(number: number, title: string): boolean {
    const { format = "" } = this.#schema;
    if (this.#fits(number, format)) return true;
    const known = this.#type === "integer" ? ["int32", "int64"] : ["float", "double"];
    const shownFormat = known.includes(format) ? ` with format ${format}` : " (default format)";
    const type = `${this.#type}${shownFormat}`;
    this.#result.add(
      this.#write.composite(`${title} value must be of type ${type} in ${this.#name}`),
    );
    return false;
  }

  #fits(number: number, format: string): boolean {
    if (this.#type === "number") return format !== "float" || Math.abs(number) <= maxFloat32;
    if (this.#type !== "integer") return true;
    if (format === "int32") {
      return Number.isInteger(number) && number <= maxInt32 && number >= minInt32;
    }
    return isInt64(number);
  }

  #broken(rule: string): void {
    this.#result.add(this.#write.broken(this.#name, this.#value, rule));
  }
}
