import { controllerRevisionRules } from "../rules/policy.ts";
import type { ApiObject } from "../api/api-object.ts";
import { count, objects, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ControllerRevision of apps. */
export const controllerRevisionKind: Kind = defineKind({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  rules: controllerRevisionRules,
  unconditionalUpdate: true,
  columns: [
    builtinColumn("Controller", controllerOf),
    builtinColumn("Revision", (object) => count(object, "revision")),
    ageColumn,
  ],
});

function controllerOf(object: ApiObject): string {
  const owner = objects(object, "metadata", "ownerReferences").find(
    (one) => one["controller"] === true,
  );
  if (owner === undefined) return "<none>";
  const [group = ""] = text(owner, "apiVersion").includes("/")
    ? text(owner, "apiVersion").split("/")
    : [];
  const kind = text(owner, "kind").toLowerCase();
  return `${group === "" ? kind : `${kind}.${group}`}/${text(owner, "name")}`;
}
