import { Environment } from "@marcbachmann/cel-js";
import { accessClasses, accessFunctions } from "./access-values.ts";
import { conversionFunctions } from "./conversions.ts";
import { stepsOf } from "./costs.ts";
import { BudgetExceeded, CelFailure, noSuchOverload } from "./failures.ts";
import { kubernetesFunctions } from "./kubernetes-library.ts";
import {
  NamedFormat,
  CidrValue,
  IpValue,
  QuantityValue,
  SemverValue,
  UrlValue,
} from "./kubernetes-values.ts";
import { listFunctions } from "./lists.ts";
import { type CelFunction, operatorFunctions } from "./operators.ts";
import { MessageValue, patchFunctions } from "./patch-values.ts";
import { callName, type RewrittenExpression, stepName } from "./rewrite.ts";
import { stringFunctions } from "./strings.ts";
import { timeFunctions } from "./times.ts";
import {
  Duration,
  isFielded,
  keysOf,
  mapKey,
  memberOf,
  ObjectValue,
  Optional,
  Timestamp,
  TypeValue,
} from "./values.ts";

/** Functions that only rewritten expressions call. */
const helperFunctions: Readonly<Record<string, CelFunction>> = {
  // Its call counts a step of a macro.
  [stepName]: (value) => value,
  first: (pair) => (Array.isArray(pair) ? pair[0] : undefined),
  second: (pair) => (Array.isArray(pair) ? pair[1] : undefined),
  listWithOptionals: (items, flags) => {
    if (!Array.isArray(items) || !Array.isArray(flags)) throw noSuchOverload();
    return items.flatMap((item: unknown, index) =>
      flags[index] === true ? present(item) : [item],
    );
  },
  mapWithOptionals: (entries, flags) => {
    if (!Array.isArray(entries) || !Array.isArray(flags)) throw noSuchOverload();
    const map = new Map<unknown, unknown>();
    for (const [index, flag] of flags.entries()) {
      const value: unknown = entries[2 * index + 1];
      for (const one of flag === true ? present(value) : [value]) {
        map.set(mapKey(entries[2 * index]), one);
      }
    }
    return map;
  },
  transformMap: (pairs) => mapOfPairs(pairs),
  transformMapEntry: (maps) => {
    if (!Array.isArray(maps)) throw noSuchOverload();
    const pairs = maps.flatMap((map: unknown) =>
      isFielded(map) ? keysOf(map).map((key) => [key, memberOf(map, key)]) : [],
    );
    return mapOfPairs(pairs);
  },
};

function present(value: unknown): readonly unknown[] {
  if (!(value instanceof Optional)) throw noSuchOverload();
  return value.hasValue() ? [value.value()] : [];
}

function mapOfPairs(pairs: unknown): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  if (!Array.isArray(pairs)) throw noSuchOverload();
  for (const pair of pairs) {
    if (!Array.isArray(pair)) throw noSuchOverload();
    const key = mapKey(pair[0]);
    if (map.has(key)) throw new CelFailure(`insert failed: key ${String(key)} already exists`);
    map.set(key, pair[1]);
  }
  return map;
}

const functions: ReadonlyMap<string, CelFunction> = new Map(
  Object.entries({
    ...operatorFunctions,
    ...conversionFunctions,
    ...stringFunctions,
    ...listFunctions,
    ...timeFunctions,
    ...kubernetesFunctions,
    ...accessFunctions,
    ...patchFunctions,
    ...helperFunctions,
  }),
);

/** Whether rewritten expressions can call a function; members begin with a dot. */
export function hasFunction(name: string): boolean {
  return functions.has(name);
}

/** k8s.io/apiserver pkg/apis/cel/config.go: `PerCallLimit`. */
const perCallLimit = 1_000_000;

/** Steps of the evaluation that runs; a nested one, of a variable of a policy, counts its own. */
let steps = 0;
const exceeded = new BudgetExceeded("actual cost limit exceeded");

function call(name: string, args: readonly unknown[]): unknown {
  steps += stepsOf(name, args);
  if (steps > perCallLimit) throw exceeded;
  const found = functions.get(name);
  if (found === undefined) throw noSuchOverload();
  return found(...args);
}

/** The call that exceeds the limit is not made, so its steps do not count. */
function countedSteps(): number {
  return Math.min(Math.ceil(steps), perCallLimit);
}

function createEnvironment(): Environment {
  const environment = new Environment({
    unlistedVariablesAreDyn: true,
    homogeneousAggregateLiterals: false,
    enableOptionalTypes: true,
    limits: { maxAstNodes: 1e6, maxDepth: 2000, maxListElements: 1e5, maxMapEntries: 1e5 },
  });
  const types = [
    ObjectValue,
    Timestamp,
    Duration,
    TypeValue,
    QuantityValue,
    IpValue,
    CidrValue,
    UrlValue,
    SemverValue,
    NamedFormat,
    MessageValue,
    ...accessClasses,
  ];
  for (const [index, ctor] of types.entries()) environment.registerType(`Value${index}`, { ctor });
  environment.registerFunction(`${callName}(string, list<dyn>): dyn`, call, { async: false });
  return environment;
}

const evaluationEnvironment = createEnvironment();

/** Parses an expression of the source; its syntax tree is to be rewritten. */
export const parseSource = (text: string): ReturnType<Environment["parse"]> =>
  evaluationEnvironment.parse(text);

/** The outcome of an evaluation, and its cost in steps. */
export type Evaluated =
  | { readonly cost: number; readonly value: unknown; readonly failure?: undefined }
  | { readonly cost: number; readonly failure: CelFailure | BudgetExceeded };

/** An expression that can be evaluated. */
export interface Program {
  /** Evaluates the expression; {@link BudgetExceeded} ends it after a million steps. */
  evaluate(variables: Readonly<Record<string, unknown>>): Evaluated;
}

/** Creates a program of a rewritten expression. */
export function createProgram({ constants, text }: RewrittenExpression): Program {
  const parsed = evaluationEnvironment.parse(text);
  return {
    evaluate: (variables) => {
      const outer = steps;
      steps = 0;
      try {
        const value: unknown = parsed({ ...constants, ...variables });
        const cost = countedSteps();
        // A macro may have ignored the error of the call that took too long.
        return steps > perCallLimit ? { cost, failure: exceeded } : { cost, value };
      } catch (error) {
        const cost = countedSteps();
        const isExceeded = steps > perCallLimit || error instanceof BudgetExceeded;
        if (isExceeded) return { cost, failure: exceeded };
        return { cost, failure: error instanceof CelFailure ? error : ownFailure(error) };
      } finally {
        steps = outer;
      }
    },
  };
}

/** The evaluator reports a value that is not a boolean in its own words. */
function ownFailure(error: unknown): CelFailure {
  const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
  return /must be|requires|must return|overload/.test(message)
    ? noSuchOverload()
    : new CelFailure(message);
}
