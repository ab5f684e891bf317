import { configMapRules } from "../rules/config-data.ts";
import { size } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ConfigMap of the core group. */
export const configMapKind: Kind = defineKind({
  version: "v1",
  kind: "ConfigMap",
  rules: configMapRules,
  unconditionalUpdate: true,
  shortNames: ["cm"],
  columns: [
    builtinColumn("Data", (object) => size(object, "data") + size(object, "binaryData")),
    ageColumn,
  ],
});
