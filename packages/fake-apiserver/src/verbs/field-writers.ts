import type { Clock } from "@listwatch/core-fifo/base";
import { apiVersionOf } from "../api/api-versions.ts";
import type { FoundResource } from "../api/registry.ts";
import { timestamp } from "../base/server-clock.ts";
import type { RequestInfo } from "../input/request-info.ts";
import { FieldSet } from "../ownership/field-set.ts";
import { type FieldWriter, managerOf, UpdateWriter } from "../ownership/field-writer.ts";
import type { Owner } from "../ownership/managed-fields.ts";
import { builtinVersion, ownedVersion } from "../ownership/owned-versions.ts";
import type { OwnershipRequest } from "../ownership/ownership-request.ts";
import { resetFields } from "../ownership/reset-fields.ts";
import { loadSchemaTable } from "../schema/schema-table.ts";

/** Who owns the fields that a request writes. */
export async function ownershipRequest(
  found: FoundResource,
  info: RequestInfo,
  clock: Clock,
  operation: Owner["operation"],
): Promise<OwnershipRequest> {
  const table = await loadSchemaTable();
  const { definition, served } = found;
  const { headers } = info.request;
  const manager = managerOf(info.query.get("fieldManager") ?? "", headers.get("user-agent") ?? "");
  const apiVersion = apiVersionOf(definition.group, served.name);
  return {
    owner: { manager, operation, apiVersion, subresource: info.subresource },
    reset: resetFields(definition, served, info.subresource),
    now: timestamp(clock.now()),
    versionOf: (version) => ownedVersion(definition, version, table),
  };
}

/** Who owns the fields of a Scale that is applied. */
export async function scaleOwnership(
  info: RequestInfo,
  clock: Clock,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): Promise<OwnershipRequest> {
  const version = builtinVersion(await loadSchemaTable(), apiVersion, kind);
  const manager = info.query.get("fieldManager") ?? "";
  return {
    owner: { manager, operation: "Apply", apiVersion, subresource: info.subresource },
    reset: FieldSet.empty,
    now: timestamp(clock.now()),
    versionOf: (name) => (name === apiVersion ? version : undefined),
  };
}

/** The owner of what a POST, PUT or patch changes. */
export async function updateWriter(
  found: FoundResource,
  info: RequestInfo,
  clock: Clock,
): Promise<FieldWriter> {
  return new UpdateWriter(await ownershipRequest(found, info, clock, "Update"));
}
