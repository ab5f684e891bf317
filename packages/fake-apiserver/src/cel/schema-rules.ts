import { isJsonEqual, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError, FieldErrorReason } from "../api/errors.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { exceedsBytes, goJson, goNumber, goQuote } from "../base/go-text.ts";
import { oldItemFinder } from "../schema/old-items.ts";
import { type CompiledRule, rulesOf } from "./compiled-rules.ts";
import { convert } from "./convert.ts";
import { isEmbedded, propertyOf } from "./declared-types.ts";
import { checkDefinition } from "./definition-rules.ts";
import { BudgetExceeded, CelFailure, noSuchOverload } from "./failures.ts";
import type { RuleEngine, RuleOptions, RuleOutcome } from "./rules.ts";
import { Optional } from "./values.ts";

/** k8s.io/apiserver pkg/apis/cel/config.go: `RuntimeCELCostBudget`. */
const objectBudget = 10_000_000;

const costText =
  "'operation cancelled: actual cost limit exceeded': " +
  "no further validation rules will be run due to call cost exceeds limit";
const outOfBudgetText =
  "validation failed due to running out of cost budget, no further validation rules will be run";
const overloadText =
  "'no such overload': call arguments did not match " +
  "a supported operator, function or macro signature";

/** A value in an object, with what is known of its previous one. */
interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly isRoot: boolean;
  /** The previous value at the same place; undefined if there is none. */
  readonly old: unknown;
  /** Whether the previous value is known, if there was one. */
  readonly isCorrelated: boolean;
  /** Whether the value, or the nearest part around it that has an identity, is as before. */
  readonly isUnchanged: boolean;
}

/** Ends the evaluation of all rules, after its error was reported. */
class OutOfBudget extends Error {
  override readonly name = "OutOfBudget";
}

/** Evaluates the rules for one object. */
class Evaluation {
  readonly errors: FieldError[] = [];
  readonly warnings: string[] = [];
  readonly #ratchets: boolean;
  readonly #top: string;
  #cost = 0;

  constructor({ path, ratchets }: RuleOptions) {
    this.#ratchets = ratchets;
    this.#top = path;
  }

  /**
   * Evaluates the rules of a node, then those of its children.
   *
   * @param branches parts of `allOf` for the same value
   */
  walk(schema: JsonSchema, branches: readonly JsonSchema[], place: Place): void {
    const { value } = place;
    if (value === null || value === undefined) return;
    const all = [...branches, ...branchesOf(schema), ...branches.flatMap(branchesOf)];
    this.#judge(schema, rulesOf(schema, schema, place.isRoot), place, true);
    for (const branch of all) {
      this.#judge(schema, rulesOf(schema, branch, place.isRoot), place, false);
    }
    if (Array.isArray(value)) this.#items(value, schema, all, place);
    else if (isRecord(value)) this.#members(value, schema, all, place);
  }

  #items(
    items: readonly unknown[],
    schema: JsonSchema,
    branches: readonly JsonSchema[],
    place: Place,
  ): void {
    const { items: itemSchema } = schema;
    if (itemSchema === undefined) return;
    const nested = branches.flatMap(({ items: one }) => (one === undefined ? [] : [one]));
    if (!hasRules(itemSchema, nested)) return;
    const isMap = schema["x-kubernetes-list-type"] === "map";
    const findOld = oldItemFinder(schema, place.old);
    for (const [index, item] of items.entries()) {
      const old = findOld(item)?.value;
      const path = `${place.path}[${index}]`;
      this.walk(itemSchema, nested, childPlace(place, itemSchema, path, item, old, isMap));
    }
  }

  #members(
    members: JsonObject,
    schema: JsonSchema,
    branches: readonly JsonSchema[],
    place: Place,
  ): void {
    const { additionalProperties, properties = {} } = schema;
    const olds = isRecord(place.old) ? place.old : {};
    for (const [name, value] of Object.entries(members)) {
      const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
      const child = declared ?? additionalProperties;
      if (typeof child !== "object") continue;
      const nested = branches.flatMap((branch) => nestedBranch(branch, name, declared));
      if (!hasRules(child, nested)) continue;
      const path = declared === undefined ? `${place.path}[${name}]` : joinPath(place.path, name);
      const old = Object.hasOwn(olds, name) ? olds[name] : undefined;
      const at = childPlace(place, child, path, value, old, true);
      const isTypeMeta = place.path === this.#top && (name === "apiVersion" || name === "kind");
      this.walk(child, nested, isTypeMeta ? { ...at, isUnchanged: false } : at);
    }
  }

  #judge(
    schema: JsonSchema,
    rules: readonly CompiledRule[],
    place: Place,
    canRatchet: boolean,
  ): void {
    if (rules.length === 0) return;
    const variables = valuesAt(schema, place);
    for (const rule of rules) {
      if (rule.isTransition && place.old === undefined && !rule.optionalOldSelf) continue;
      const error = this.#failure(schema, rule, place, variables);
      if (error === undefined) continue;
      const isRatcheted = this.#ratchets && canRatchet && place.isUnchanged && !rule.isTransition;
      if (isRatcheted) this.warnings.push(`${error.field}: ${error.message}`);
      else this.errors.push(error);
    }
  }

  #failure(
    schema: JsonSchema,
    rule: CompiledRule,
    place: Place,
    variables: PlaceValues,
  ): FieldError | undefined {
    const { condition } = rule;
    const field = place.path === "" ? "<nil>" : place.path;
    const type = schema.type ?? "";
    if (condition.program === undefined) {
      if (condition.isUnsupported) {
        this.warnings.push(cannotEvaluate(field, rule.rule));
        return undefined;
      }
      const detail = `rule compile error: compilation failed: ${condition.problem}`;
      return failureOf(field, goQuote(type), detail);
    }
    const values = attempt(() => variables(rule));
    if (values instanceof CelFailure) return evaluationError(values, rule, field, type);
    const outcome = condition.program.evaluate(values);
    const { failure } = outcome;
    if (failure instanceof BudgetExceeded) {
      const detail = `${costText} for rule: ${rule.rule}`;
      this.errors.push(failureOf(field, goQuote(type), detail));
      throw new OutOfBudget();
    }
    this.#spend(outcome.cost, field, type);
    if (failure !== undefined) return evaluationError(failure, rule, field, type);
    if (outcome.value === true) return undefined;
    if (outcome.value !== false) return evaluationError(noSuchOverload(), rule, field, type);
    return refusal(rule, schema, place, this.#message(rule, values, field, type));
  }

  /** Takes the cost of an expression from the budget of the object. */
  #spend(cost: number, field: string, type: string): void {
    this.#cost += cost;
    if (this.#cost <= objectBudget) return;
    this.errors.push(failureOf(field, goQuote(type), outOfBudgetText));
    throw new OutOfBudget();
  }

  #message(
    rule: CompiledRule,
    values: Readonly<Record<string, unknown>>,
    field: string,
    type: string,
  ): string {
    const fallback = rule.message === "" ? `failed rule: ${rule.rule.trim()}` : rule.message;
    const program = rule.messageProgram?.program;
    if (program === undefined) return fallback;
    const outcome = program.evaluate(values);
    this.#spend(outcome.cost, field, type);
    if (outcome.failure !== undefined || typeof outcome.value !== "string") return fallback;
    const trimmed = outcome.value.trim();
    const isUsable = trimmed !== "" && !exceedsBytes(trimmed, 5120) && !/[\n\r]/.test(trimmed);
    return isUsable ? trimmed : fallback;
  }
}

/** The error of a rule whose evaluation failed. */
function evaluationError(
  failure: CelFailure,
  rule: CompiledRule,
  field: string,
  type: string,
): FieldError {
  const named = rule.message === "" ? rule.rule : rule.message;
  const detail =
    failure.message === "no such overload"
      ? `${overloadText} for rule: ${rule.rule}`
      : `${failure.message} evaluating rule: ${named}`;
  return failureOf(field, goQuote(type), detail);
}

function attempt<T>(work: () => T): T | CelFailure {
  try {
    return work();
  } catch (error) {
    if (error instanceof CelFailure) return error;
    throw error;
  }
}

/** The warning about a rule that only a real server judges. */
function cannotEvaluate(field: string, rule: string): string {
  return `${field}: cannot evaluate here, so the rule counts as kept: ${rule}`;
}

type PlaceValues = (rule: CompiledRule) => Readonly<Record<string, unknown>>;

/** Converts the values at a place once for all its rules. */
function valuesAt(schema: JsonSchema, place: Place): PlaceValues {
  let self: unknown;
  let oldSelf: unknown;
  return ({ isTransition, optionalOldSelf }) => {
    self ??= convert(place.value, schema, place.isRoot);
    if (!isTransition) return { self };
    if (place.old !== undefined && place.old !== null) {
      oldSelf ??= convert(place.old, schema, place.isRoot);
    }
    return { self, oldSelf: optionalOldSelf ? Optional.of(oldSelf) : oldSelf };
  };
}

function childPlace(
  parent: Place,
  schema: JsonSchema,
  path: string,
  value: unknown,
  old: unknown,
  hasIdentity: boolean,
): Place {
  const isCorrelated = hasIdentity && parent.isCorrelated;
  const isUnchanged = isCorrelated
    ? old !== undefined && isJsonEqual(value, old)
    : parent.isUnchanged;
  return { value, path, isRoot: isEmbedded(schema), old, isCorrelated, isUnchanged };
}

function joinPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

function branchesOf({ allOf = [] }: JsonSchema): readonly JsonSchema[] {
  return allOf.flatMap((branch) => [branch, ...branchesOf(branch)]);
}

function nestedBranch(
  branch: JsonSchema,
  name: string,
  declared: JsonSchema | undefined,
): readonly JsonSchema[] {
  const nested = declared === undefined ? branch.additionalProperties : propertyOf(branch, name);
  return typeof nested === "object" ? [nested] : [];
}

const ruled = new WeakMap<JsonSchema, boolean>();

/** Whether a schema or one of its parts has rules. */
function hasRules(schema: JsonSchema, branches: readonly JsonSchema[] = []): boolean {
  return mentionsRules(schema) || branches.some(mentionsRules);
}

function mentionsRules(schema: JsonSchema): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const { additionalProperties, allOf = [], items, properties = {} } = schema;
  const parts = [additionalProperties, items, ...allOf, ...Object.values(properties)];
  const found =
    (schema["x-kubernetes-validations"] ?? []).length > 0 ||
    parts.some((part) => typeof part === "object" && mentionsRules(part));
  ruled.set(schema, found);
  return found;
}

function failureOf(field: string, shown: string, detail: string): FieldError {
  return { reason: "FieldValueInvalid", field, message: `Invalid value: ${shown}: ${detail}` };
}

/** The error of a rule that is false. */
function refusal(rule: CompiledRule, schema: JsonSchema, place: Place, detail: string): FieldError {
  const field = fieldOf(rule.fieldPath, schema, place.path);
  const shown = shownValue(place.value);
  const invalid = `Invalid value: ${shown === "" ? "" : `${shown}: `}${detail}`;
  const message: Partial<Record<string, string>> = {
    FieldValueForbidden: `Forbidden: ${detail}`,
    FieldValueRequired: `Required value: ${detail}`,
    FieldValueDuplicate: `Duplicate value: ${shown === "" ? goJson(place.value) : shown}`,
  };
  const text = message[rule.reason];
  const reason: FieldErrorReason = isReason(rule.reason) ? rule.reason : "FieldValueInvalid";
  return { reason, field, message: text ?? invalid };
}

function isReason(reason: string): reason is FieldErrorReason {
  return ["FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"].includes(reason);
}

/** Scalars are shown, objects and lists are not. */
function shownValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  return typeof value === "boolean" ? String(value) : "";
}

/** The path of a rule's `fieldPath`, such as `.spec['a.b']`. */
function fieldOf(fieldPath: string, schema: JsonSchema, path: string): string {
  let at: JsonSchema | undefined = schema;
  let field = path;
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name = plain ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1");
    const property: JsonSchema | undefined = propertyOf(at, name);
    const values: JsonSchema | boolean | undefined = at?.additionalProperties;
    if (property === undefined && typeof values === "object") {
      field = `${field}[${name}]`;
      at = values;
    } else {
      field = joinPath(field, name);
      at = property;
    }
  }
  return field === "" ? "<nil>" : field;
}

function evaluate(value: unknown, schema: JsonSchema, options: RuleOptions): RuleOutcome {
  const { isRoot, old, path } = options;
  const evaluation = new Evaluation(options);
  const { errors, warnings } = evaluation;
  if (!hasRules(schema)) return { errors, warnings };
  const isUnchanged = old !== undefined && isJsonEqual(value, old);
  try {
    evaluation.walk(schema, [], { value, path, isRoot, old, isCorrelated: true, isUnchanged });
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
  }
  return { errors, warnings };
}

/** Compiles and evaluates the rules of definitions. */
export const schemaRules: RuleEngine = { check: checkDefinition, evaluate };
