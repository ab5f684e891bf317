import type { JsonSchema } from "../api/json-schema.ts";
import type { ApiObject, ServedVersion } from "../api/resource-definition.ts";
import { conformCustomObject } from "./custom-object.ts";
import type { ForbiddenNulls } from "./defaults.ts";

// An object of a version that is not served has no known fields but its metadata.
const noSchema: JsonSchema = { type: "object" };

/** An object under a schema: without unknown fields and with defaults. */
export interface ConformedObject {
  readonly object: ApiObject;
  /** Paths of the fields that the resource does not have. */
  readonly unknown: readonly string[];
}

/**
 * Drops what the schema of a version does not have and fills in defaults.
 *
 * @param served undefined for a version that is not served
 */
export function conformToSchema(
  object: ApiObject,
  served: ServedVersion | undefined,
  nulls?: ForbiddenNulls,
): ConformedObject {
  const schema = served === undefined ? noSchema : served.schema;
  if (schema === undefined) return { object, unknown: [] };
  const { object: conformed, unknown } = conformCustomObject(object, schema, nulls);
  return { object: { ...conformed, metadata: object.metadata }, unknown };
}

/**
 * A stored object as it is read under a schema: without unknown fields and with the defaults of
 * today.
 */
export function rereadObject(object: ApiObject, served: ServedVersion): ApiObject {
  return conformToSchema(object, served).object;
}
