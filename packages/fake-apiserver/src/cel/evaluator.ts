import { Environment } from "@marcbachmann/cel-js";
import { accessClasses, accessFunctions } from "./access-values.ts";
import { type Evaluated, spend, withBudget } from "./budget.ts";
import { conversionFunctions } from "./conversions.ts";
import { stepsOf } from "./costs.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
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
import { LiteralConstant, MessageValue, patchFunctions } from "./patch-values.ts";
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
  presentOf,
  Timestamp,
  TypeValue,
} from "./values.ts";

/** Functions of macros, and of literals with optional entries. */
const helperFunctions: Readonly<Record<string, CelFunction>> = {
  // Its call counts a step of a macro.
  [stepName]: (value) => value,
  list: (items) => items,
  first: (pair) => (Array.isArray(pair) ? pair[0] : undefined),
  second: (pair) => (Array.isArray(pair) ? pair[1] : undefined),
  listWithOptionals: (items, flags) => {
    if (!Array.isArray(items) || !Array.isArray(flags)) throw noSuchOverload();
    return items.flatMap((item: unknown, index) =>
      flags[index] === true ? presentOf(item) : [item],
    );
  },
  mapWithOptionals: (entries, flags) => {
    if (!Array.isArray(entries) || !Array.isArray(flags)) throw noSuchOverload();
    const map = new Map<unknown, unknown>();
    for (const [index, flag] of flags.entries()) {
      const value: unknown = entries[2 * index + 1];
      for (const one of flag === true ? presentOf(value) : [value]) {
        map.set(mapKey(entries[2 * index]), one);
      }
    }
    return map;
  },
  transformMap: (pairs) => mapOfPairs(pairs),
  transformMapEntry: (maps) => {
    if (!Array.isArray(maps)) throw noSuchOverload();
    const joined = new Map<unknown, unknown>();
    for (const map of maps) {
      if (!isFielded(map)) continue;
      const keys = keysOf(map);
      spend(keys.length);
      for (const key of keys) insert(joined, key, memberOf(map, key));
    }
    return joined;
  },
};

function mapOfPairs(pairs: unknown): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  if (!Array.isArray(pairs)) throw noSuchOverload();
  for (const pair of pairs) {
    if (!Array.isArray(pair)) throw noSuchOverload();
    insert(map, pair[0], pair[1]);
  }
  return map;
}

function insert(map: Map<unknown, unknown>, name: unknown, value: unknown): void {
  const key = mapKey(name);
  if (map.has(key)) throw new CelFailure(`insert failed: key ${String(key)} already exists`);
  map.set(key, value);
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

/** Functions that only rewritten expressions call. */
const internal: ReadonlySet<string> = new Set([
  ...Object.keys({ ...operatorFunctions, ...helperFunctions }),
  "entries",
  "message",
  "range",
  "sortBy",
]);

/** Whether expressions can call a function; members begin with a dot. */
export function hasFunction(name: string): boolean {
  return ["dyn", "type"].includes(name) || (functions.has(name) && !internal.has(name));
}

function call(name: string, args: readonly unknown[]): unknown {
  spend(stepsOf(name, args));
  const found = functions.get(name);
  if (found === undefined) throw noSuchOverload();
  return found(...args);
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
    LiteralConstant,
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

/** An expression that can be evaluated. */
export interface Program {
  /** Evaluates the expression; {@link BudgetExceeded} ends it after a million steps. */
  evaluate(variables: Readonly<Record<string, unknown>>): Evaluated;
}

/** Creates a program of a rewritten expression. */
export function createProgram({ constants, text }: RewrittenExpression): Program {
  const parsed = evaluationEnvironment.parse(text);
  return {
    evaluate: (variables) => withBudget((): unknown => parsed({ ...constants, ...variables })),
  };
}
