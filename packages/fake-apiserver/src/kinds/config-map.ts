import { size } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** ConfigMap of the core group. */
export const configMapKind: Kind = defineKind({
  version: "v1",
  kind: "ConfigMap",
  unconditionalUpdate: true,
  shortNames: ["cm"],
  columns: [
    builtinColumn("Data", "Number of entries of data and binaryData.", (object) =>
      String(size(object, "data") + size(object, "binaryData")),
    ),
    ageColumn,
  ],
  docs: {
    "core.ConfigMap": {
      description: "ConfigMap holds configuration data for pods to consume.",
      fields: {
        data: ["map", "The configuration data as texts, by their keys."],
        binaryData: ["map", "The configuration data that is no text, in base64, by their keys."],
        immutable: ["boolean", "If true, data cannot be changed any more, only the metadata can."],
      },
    },
  },
});
