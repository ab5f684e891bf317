import type { JsonSchema } from "../api/json-schema.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { validateCustomObject, validateCustomStatus } from "../schema/custom-object.ts";
import { conformToSchema } from "../schema/conform-object.ts";
import { loadPatternEngine } from "../schema/pattern.ts";
import { mentionsKeyword } from "../schema/schema-types.ts";
import { forbidden } from "../api/errors.ts";
import { finalizerWarnings } from "../validation/finalizers.ts";
import type { ResourceStrategy } from "../kinds/strategy.ts";

const terminating = "create not allowed while custom resource definition is terminating";

/**
 * What is special about custom resources: their schemas, and that they end with their definition.
 *
 * @param isTerminating tells whether the definition of a resource is being deleted
 */
export function customResourceStrategy(
  isTerminating: (definition: ResourceDefinition) => boolean,
): ResourceStrategy {
  // Schemas are immutable; each is looked through once.
  const withPatterns = new WeakMap<JsonSchema, boolean>();
  const hasPatterns = (schema: JsonSchema): boolean => {
    const known = withPatterns.get(schema) ?? mentionsKeyword(schema, "pattern");
    withPatterns.set(schema, known);
    return known;
  };
  return {
    loadChecks: ({ schema }) =>
      schema !== undefined && hasPatterns(schema) ? loadPatternEngine() : undefined,
    conform: conformToSchema,
    warnings: finalizerWarnings,
    refuseCreate: (definition, name) =>
      isTerminating(definition) ? forbidden(definition, name, terminating) : undefined,
    validateCreate: (object, { scale, schema }) =>
      schema === undefined ? [] : validateCustomObject(object, schema, { scale }),
    validateUpdate: (object, old, { scale, schema }) =>
      schema === undefined ? [] : validateCustomObject(object, schema, { old, scale }),
    validateStatus: (object, old, { scale, schema }) =>
      schema === undefined ? [] : validateCustomStatus(object, schema, { old, scale }),
  };
}
