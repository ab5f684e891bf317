import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import {
  conformCustomObject,
  validateCustomObject,
  validateCustomStatus,
} from "../schema/custom-object.ts";
import type { JsonSchema } from "../api/json-schema.ts";
import { forbidden } from "../api/errors.ts";
import { finalizerWarnings } from "../validation/finalizers.ts";
import type { ResourceStrategy, StrategyResult } from "../kinds/strategy.ts";

// An object of a version nobody serves has no known fields but its metadata.
const noSchema: JsonSchema = { type: "object" };
const terminating = "create not allowed while custom resource definition is terminating";

/**
 * What is special about custom resources: their schemas, and that they end with their definition
 * (api-server §1.16).
 *
 * @param isTerminating tells whether the definition of a resource is being deleted
 */
export function customResourceStrategy(
  isTerminating: (definition: ResourceDefinition) => boolean,
): ResourceStrategy {
  return {
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

/**
 * A stored object as it is read under a schema: without unknown fields and with the defaults of
 * today.
 */
export function rereadObject(object: ApiObject, served: ServedVersion): ApiObject {
  return conformToSchema(object, served).object;
}

/** The version objects are stored in, if it is served. */
export function storageVersionOf(definition: ResourceDefinition): ServedVersion | undefined {
  return definition.versions.find(({ name }) => name === definition.storageVersion);
}

function conformToSchema(object: ApiObject, served: ServedVersion | undefined): StrategyResult {
  const schema = served === undefined ? noSchema : served.schema;
  if (schema === undefined) return { object, unknown: [] };
  const { object: conformed, unknown } = conformCustomObject(object, schema);
  return { object: { ...conformed, metadata: object.metadata }, unknown };
}
