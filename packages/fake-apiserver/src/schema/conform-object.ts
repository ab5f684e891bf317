import type { JsonSchema } from "../api/json-schema.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ServedVersion } from "../api/resource-definition.ts";
import { conformCustomObject } from "./custom-object.ts";
import type { ForbiddenNulls } from "./defaults.ts";

// Versions that are not served have no known fields except metadata.
const noSchema: JsonSchema = { type: "object" };

/** A pruned object with defaults. */
export interface ConformedObject {
  readonly object: ApiObject;
  /** Paths of the dropped fields. */
  readonly unknown: readonly string[];
}

/**
 * Drops unknown fields and fills in defaults by the schema of a version.
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

/** Prunes a stored object and fills in defaults by the current schema. */
export function rereadObject(object: ApiObject, served: ServedVersion): ApiObject {
  return conformToSchema(object, served).object;
}
