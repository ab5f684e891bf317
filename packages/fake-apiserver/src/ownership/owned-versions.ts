import { recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import type { SchemaTable } from "../schema/schema-table.ts";
import { builtinFieldType, zeroOf } from "./builtin-field-type.ts";
import { customFieldType } from "./custom-field-type.ts";
import { deducedType } from "./field-type.ts";
import type { OwnedVersion } from "./ownership-request.ts";

const objectMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";
const versions = new WeakMap<ServedVersion, OwnedVersion>();
const unchanged = (object: JsonObject): JsonObject => object;

/** Returns a version of a resource; `undefined` if it is not served. */
export function ownedVersion(
  definition: ResourceDefinition,
  apiVersion: string,
  table: SchemaTable,
): OwnedVersion | undefined {
  const served = definition.versions.find(
    ({ name }) => apiVersionOf(definition.group, name) === apiVersion,
  );
  if (served === undefined) return undefined;
  let version = versions.get(served);
  if (version === undefined) {
    version = create(definition, served, apiVersion, table);
    versions.set(served, version);
  }
  return version;
}

/** Returns a version of a built-in kind. */
export function builtinVersion(table: SchemaTable, apiVersion: string, kind: string): OwnedVersion {
  const struct = table.typeOf(apiVersion, kind);
  return struct === undefined
    ? { type: deducedType, zero: {}, convert: unchanged }
    : { type: builtinFieldType(struct), zero: zeroOf(struct), convert: unchanged };
}

function create(
  { custom, kind, storedAs, versions: all }: ResourceDefinition,
  { conversion, schema }: ServedVersion,
  apiVersion: string,
  table: SchemaTable,
): OwnedVersion {
  if (!custom) {
    const version = builtinVersion(table, apiVersion, kind);
    // The conversion accepts objects of this version and of the stored one.
    const other = all.find((one) => one.conversion !== undefined)?.conversion;
    const convert = conversion?.fromStored ?? other?.toStored ?? storedAs?.fromStored;
    return convert === undefined ? version : { ...version, convert: withMetadata(convert) };
  }
  const meta = table.type(objectMeta);
  const metadata = meta?.kind === "struct" ? builtinFieldType(meta) : deducedType;
  const type = schema === undefined ? deducedType : customFieldType(schema, metadata);
  return { type, zero: {}, convert: unchanged };
}

// Owners use the field names of the request's version. Ownership ignores apiVersion and kind.
function withMetadata(convert: (object: ApiObject) => ApiObject): OwnedVersion["convert"] {
  return (object) => convert({ ...object, metadata: recordOf(object["metadata"]) });
}
