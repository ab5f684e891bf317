import type { ApiObject } from "../api/api-object.ts";
import { objects, text } from "../base/read-fields.ts";
import { storageVersionMigrationRules } from "../rules/signers.ts";
import { builtinColumn, nameColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** StorageVersionMigration of storagemigration.k8s.io. */
export const storageVersionMigrationKind: Kind = defineKind({
  group: "storagemigration.k8s.io",
  version: "v1",
  kind: "StorageVersionMigration",
  storageHashVersion: "v1beta1",
  cluster: true,
  status: true,
  rules: storageVersionMigrationRules,
  columns: [
    { ...nameColumn, format: "" },
    builtinColumn("Resource", resourceOf),
    builtinColumn("Status", stateOf),
  ],
});

function resourceOf(migration: ApiObject): string {
  const group = text(migration, "spec", "resource", "group");
  const resource = text(migration, "spec", "resource", "resource");
  return group === "" ? resource : `${resource}.${group}`;
}

function stateOf(migration: ApiObject): string {
  const states = new Set(["Running", "Failed", "Succeeded"]);
  const types = objects(migration, "status", "conditions")
    .filter((one) => one["status"] === "True")
    .map((one) => text(one, "type"));
  return types.findLast((type) => states.has(type)) ?? "Unknown";
}
