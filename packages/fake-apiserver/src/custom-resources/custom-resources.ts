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
 * Creates the strategy of custom resources: they are validated by schemas and refused while their
 * definition is being deleted.
 *
 * @param isTerminating whether the definition of a resource is being deleted
 */
export function customResourceStrategy(
  isTerminating: (definition: ResourceDefinition) => boolean,
): ResourceStrategy {
  // Schemas are immutable, so each is searched once.
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
