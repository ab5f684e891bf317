import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { FieldError } from "../api/errors.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { memoized } from "../base/read-fields.ts";
import type { SchemaField, SchemaType, StructType } from "../schema/schema-table.ts";
import {
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
} from "../validation/field-errors.ts";
import {
  checkCaselessSubdomain,
  checkDnsLabel,
  checkDnsSubdomain,
  checkQualifiedName,
  type NameRule,
} from "../validation/names.ts";

/**
 * Rules that the tags of Kubernetes' Go types declare, such as `+k8s:required`. They are in the
 * table of types (scripts/schemas/rules.go), and are checked on the whole object after what is
 * written by hand. An error of a declared rule takes the place of one with the same reason for the
 * same field (k8s.io/apimachinery pkg/api/validate/errors.go, `FilterCoveredHandwrittenErrors`).
 */

/** Feature gates that tags name: k8s.io/kubernetes pkg/features/kube_features.go of 1.37. */
const gates: ReadonlyMap<string, boolean> = new Map([["HPAScaleToZero", true]]);

interface Checked {
  readonly path: string;
  readonly value: unknown;
  /** The stored value; `undefined` for a new one. */
  readonly stored: unknown;
  /** Whether the value has a counterpart in a stored object. */
  readonly isUpdate: boolean;
}

/** Checks the fields of an object. `stored` is undefined for a new object. */
export function checkDeclared(
  type: StructType,
  object: ApiObject,
  stored: ApiObject | undefined,
): readonly FieldError[] {
  if (!declaresRules(type)) return [];
  const errors: FieldError[] = [];
  checkStruct(type, { path: "", value: object, stored, isUpdate: stored !== undefined }, errors);
  return errors;
}

/** Whether a struct or a part of it has rules. Types may contain themselves. */
const declaresRules: (type: StructType) => boolean = memoized((type: StructType) =>
  findsRules(type, new Set()),
);

function findsRules(type: SchemaType, seen: Set<StructType>): boolean {
  if (type.kind === "list") return findsRules(type.item, seen);
  if (type.kind === "map") return findsRules(type.value, seen);
  if (type.kind !== "struct" || seen.has(type)) return false;
  seen.add(type);
  return [...type.fields.values()].some(
    (field) => field.checks.length > 0 || findsRules(field.type, seen),
  );
}

/** The fields of a struct that have rules, or contain fields that have some. */
const checkedFields: (type: StructType) => readonly SchemaField[] = memoized((type: StructType) =>
  [...type.fields.values()].filter(
    (field) => field.checks.length > 0 || findsRules(field.type, new Set()),
  ),
);

function checkStruct(type: StructType, checked: Checked, errors: FieldError[]): void {
  const { isUpdate, path, stored, value } = checked;
  if (!isRecord(value)) return;
  const before = isRecord(stored) ? stored : undefined;
  for (const field of checkedFields(type)) {
    const member = {
      path: path === "" ? field.name : `${path}.${field.name}`,
      value: value[field.name],
      stored: before?.[field.name],
      isUpdate: isUpdate && before !== undefined,
    };
    // Only its fields with rules are compared with the stored ones: the spec of a pod has one.
    if (field.checks.length === 0 && field.type.kind === "struct") {
      checkStruct(field.type, member, errors);
      continue;
    }
    // A field that an update does not change is not checked again.
    if (member.isUpdate && isJsonEqual(member.value, member.stored)) continue;
    if (checkField(field, member, errors)) checkValue(field.type, field, member, errors);
  }
}

function checkValue(
  type: SchemaType,
  field: SchemaField,
  checked: Checked,
  errors: FieldError[],
): void {
  const { isUpdate, path, stored, value } = checked;
  if (type.kind === "struct") {
    if (declaresRules(type)) checkStruct(type, checked, errors);
  } else if (type.kind === "list" && Array.isArray(value)) {
    const { item } = type;
    if (item.kind !== "struct" || !declaresRules(item)) return;
    const before = isUpdate && Array.isArray(stored) ? stored.filter(isRecord) : [];
    for (const [index, one] of value.entries()) {
      const counterpart = isRecord(one) ? counterpartOf(field, one, before) : undefined;
      const inside = {
        value: one as unknown,
        stored: counterpart,
        isUpdate: counterpart !== undefined,
      };
      checkStruct(item, { ...inside, path: `${path}[${index}]` }, errors);
    }
  }
}

/** The stored item of a list with the same keys. Items of other lists have none. */
function counterpartOf(
  { listKeys, listType }: SchemaField,
  item: JsonObject,
  before: readonly JsonObject[],
): JsonObject | undefined {
  if (listType !== "map") return undefined;
  return before.find((one) => listKeys.every((key) => isJsonEqual(one[key], item[key])));
}

/** Checks a field by its own rules. Returns false if its content is not to be checked. */
function checkField(field: SchemaField, checked: Checked, errors: FieldError[]): boolean {
  const [first, then] = rulesOf(field);
  const before = errors.length;
  for (const check of first) errors.push(...check(checked));
  if (errors.length > before || isZero(checked.value)) return false;
  for (const check of then) errors.push(...check(checked));
  return true;
}

type Check = (checked: Checked) => readonly FieldError[];

/** The rules of a field after whose errors nothing else is checked, and its others. */
const rulesOf = memoized(
  (field: SchemaField): readonly [first: readonly Check[], then: readonly Check[]] => {
    const rules = field.checks.flatMap((check) => enabled(check) ?? []).map(split);
    const checksOf = (order: Readonly<Record<string, Rule>>): readonly Check[] =>
      rules.flatMap(([name = "", argument = ""]) => {
        const rule = order[name];
        return rule === undefined ? [] : [(checked: Checked) => rule(checked, argument, field)];
      });
    return [checksOf(stopping), checksOf(others)];
  },
);

function split(rule: string): readonly string[] {
  const at = rule.indexOf("=");
  return at < 0 ? [rule] : [rule.slice(0, at), rule.slice(at + 1)];
}

/** The rule inside `ifEnabled(GATE)=RULE`; undefined if the gate decides otherwise. */
function enabled(check: string): string | undefined {
  const match = /^if(Enabled|Disabled)\((\w+)\)=(.*)$/.exec(check);
  if (match === null) return check;
  const [, when, gate = "", rule] = match;
  return (gates.get(gate) ?? false) === (when === "Enabled") ? rule : undefined;
}

type Rule = (checked: Checked, argument: string, field: SchemaField) => readonly FieldError[];

/** Rules after whose errors nothing else is checked. */
const stopping: Readonly<Record<string, Rule>> = {
  required: ({ path, value }) => (isZero(value) ? [required(path)] : []),
  present: ({ path, value }) => (value === undefined || value === null ? [required(path)] : []),
  forbidden: ({ path, value }) =>
    value === undefined || value === null ? [] : [forbidden(path, "")],
  immutable: ({ isUpdate, path }) => (isUpdate ? [invalid(path, null, "field is immutable")] : []),
  update: checkTransition,
  maxItems: ({ path, value }, most) =>
    Array.isArray(value) && value.length > Number(most)
      ? [tooMany(path, value.length, Number(most))]
      : [],
};

const others: Readonly<Record<string, Rule>> = {
  minimum: ({ path, value }, least) =>
    typeof value === "number" && value < Number(least)
      ? [invalid(path, value, `must be greater than or equal to ${least}`)]
      : [],
  maximum: ({ path, value }, most) =>
    typeof value === "number" && value > Number(most)
      ? [invalid(path, value, `must be less than or equal to ${most}`)]
      : [],
  maxLength: ({ path, value }, most) =>
    typeof value === "string" && Array.from(value).length > Number(most)
      ? [tooLongCharacters(path, Number(most))]
      : [],
  maxBytes: ({ path, value }, most) =>
    typeof value === "string" && exceedsBytes(value, Number(most))
      ? [tooLong(path, Number(most))]
      : [],
  enum: ({ path, value }, words) => {
    const known = words.split(",");
    return typeof value !== "string" || known.includes(value)
      ? []
      : [notSupported(path, value, known)];
  },
  format: ({ path, value }, format) =>
    typeof value === "string" ? checkFormat(path, value, format) : [],
  eachKey: ({ path, value }, rule) => {
    const [, format = ""] = split(rule);
    return isRecord(value)
      ? Object.keys(value).flatMap((key) => checkFormat(path, key, format))
      : [];
  },
  unique: checkUnique,
};

function tooLongCharacters(path: string, most: number): FieldError {
  const { field, reason } = tooLong(path, most);
  return { field, reason, message: `Too long: may not be more than ${most} characters` };
}

function checkTransition({ isUpdate, path, stored, value }: Checked, rule: string): FieldError[] {
  if (!isUpdate) return [];
  const [was, is] = [!isZero(stored), !isZero(value)];
  const problems: Readonly<Record<string, readonly [applies: boolean, words: string]>> = {
    NoSet: [!was && is, "field cannot be set once created"],
    NoUnset: [was && !is, "field cannot be cleared once set"],
    NoModify: [was && is, "field cannot be modified once set"],
  };
  const [applies, words = ""] = problems[rule] ?? [false];
  return applies ? [invalid(path, null, words)] : [];
}

function checkUnique({ path, value }: Checked, keys: string): readonly FieldError[] {
  if (!Array.isArray(value)) return [];
  const names = keys === "" ? undefined : keys.split(",");
  const seen: unknown[] = [];
  return value.flatMap((item: unknown, index) => {
    const key = names === undefined || !isRecord(item) ? item : names.map((name) => item[name]);
    const isKnown = seen.some((one) => isJsonEqual(one, key));
    seen.push(key);
    return isKnown ? [duplicate(`${path}[${index}]`, item)] : [];
  });
}

const uuidProblem = "must be a lowercase UUID in 8-4-4-4-12 format";
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Formats by their names. Other formats are checked by rules that are written by hand. */
const formats: Readonly<Record<string, NameRule>> = {
  "k8s-short-name": checkDnsLabel,
  "k8s-long-name": checkDnsSubdomain,
  "k8s-long-name-caseless": checkCaselessSubdomain,
  "k8s-label-key": checkQualifiedName,
  "k8s-extended-resource-name": checkExtendedResource,
  "k8s-uuid": (text) => (uuid.test(text) ? [] : [uuidProblem]),
};

/** The name of a resource that nodes offer beside those of Kubernetes. */
function checkExtendedResource(name: string): readonly string[] {
  const problems = checkQualifiedName(`requests.${name}`);
  if (!name.includes("/")) {
    return ["a name must be a domain-prefixed path, such as 'example.com/my-prop'", ...problems];
  }
  return [
    ...(name.includes("kubernetes.io/") ? ['must not have "kubernetes.io/" domain'] : []),
    ...(name.startsWith("requests.") ? ['must not have "requests." prefix'] : []),
    ...problems,
  ];
}

function checkFormat(path: string, value: string, format: string): readonly FieldError[] {
  // These rules count bytes, and say so.
  return (formats[format]?.(value) ?? []).map((why) =>
    invalid(path, value, why.replace(/(?<=^must be no more than \d+ )characters$/, "bytes")),
  );
}

/** Whether a value is what Go calls zero. */
function isZero(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === 0) return true;
  return Array.isArray(value) ? value.length === 0 : value === false;
}
