import type { ApiObject } from "../api/api-object.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { loadRuleEngine, ruleEngine } from "../cel/rule-engine.ts";
import { validateCustomObject, validateCustomStatus } from "../schema/custom-object.ts";
import { conformToSchema } from "../schema/conform-object.ts";
import { loadPatternEngine } from "../schema/pattern.ts";
import { mentionsKeyword } from "../schema/schema-types.ts";
import { forbidden } from "../api/errors.ts";
import { finalizerWarnings } from "../validation/finalizers.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";

const terminating = "create not allowed while custom resource definition is terminating";

/**
 * Creates the strategy of custom resources: they are validated by schemas and refused while their
 * definition is being deleted.
 *
 * @param isTerminating whether the definition of a resource is being deleted
 */
export function customResourceStrategy(
  isTerminating: (definition: ResourceDefinition) => boolean,
): ResourceStrategy {
  const hasPatterns = keywordSearch("pattern");
  const hasRules = keywordSearch("x-kubernetes-validations");
  const ratcheted = new WeakMap<ApiObject, readonly string[]>();
  // Rules of the whole object, after a write to its status as well.
  const rulesFor = (schema: JsonSchema, object: ApiObject, old?: ApiObject) => () => {
    if (!hasRules(schema)) return [];
    const options = { path: "", isRoot: true, old, ratchets: old !== undefined };
    const outcome = ruleEngine()?.evaluate(object, schema, options);
    if (outcome !== undefined) ratcheted.set(object, outcome.warnings);
    return outcome?.errors ?? [];
  };
  return {
    loadChecks: ({ schema }) => {
      if (schema === undefined) return undefined;
      if (hasRules(schema)) return loadRuleEngine();
      return hasPatterns(schema) ? loadPatternEngine() : undefined;
    },
    conform: conformToSchema,
    warnings: (object, stored) => [
      ...finalizerWarnings(object, stored),
      ...(ratcheted.get(object) ?? []),
    ],
    refuseCreate: (definition, name) =>
      isTerminating(definition) ? forbidden(definition, name, terminating) : undefined,
    validateCreate: (object, { scale, schema }) =>
      schema === undefined
        ? []
        : validateCustomObject(object, schema, { scale, rules: rulesFor(schema, object) }),
    validateUpdate: (object, old, { scale, schema }) =>
      schema === undefined
        ? []
        : validateCustomObject(object, schema, {
            old,
            scale,
            rules: rulesFor(schema, object, old),
          }),
    validateStatus: (object, old, { scale, schema }) =>
      schema === undefined
        ? []
        : validateCustomStatus(object, schema, {
            old,
            scale,
            rules: rulesFor(schema, object, old),
          }),
  };
}

/** Searches schemas for a keyword. They are immutable, so each is searched once. */
function keywordSearch(keyword: string): (schema: JsonSchema) => boolean {
  const found = new WeakMap<JsonSchema, boolean>();
  return (schema) => {
    const known = found.get(schema) ?? mentionsKeyword(schema, keyword);
    found.set(schema, known);
    return known;
  };
}
