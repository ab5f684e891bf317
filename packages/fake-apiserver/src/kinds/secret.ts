import { size, text } from "../base/read-fields.ts";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Secret of the core group. */
export const secretKind: Kind = defineKind({
  version: "v1",
  kind: "Secret",
  unconditionalUpdate: true,
  selectableFields: ["type"],
  columns: [
    builtinColumn("Type", "Used to facilitate programmatic handling of secret data.", (object) =>
      text(object, "type"),
    ),
    builtinColumn("Data", "Number of entries of data.", (object) => String(size(object, "data"))),
    ageColumn,
  ],
  docs: {
    "core.Secret": {
      description: "Secret holds secret data of a certain type, at most 1 MiB in all.",
      fields: {
        type: ["string", "Facilitates the programmatic handling of the data. Immutable."],
        data: ["map", "The secret data in base64, by their keys."],
        stringData: [
          "map",
          "Secret data as texts, merged into data on a write and never read back.",
        ],
        immutable: ["boolean", "If true, data cannot be changed any more, only the metadata can."],
      },
    },
  },
});
