import { secretRules } from "../rules/config-data.ts";
import { setMember, size, text } from "../base/read-fields.ts";
import type { ApiObject } from "../api/api-object.ts";
import { isRecord } from "@listwatch/core-fifo/base";
import { ageColumn, builtinColumn } from "./columns.ts";
import { type Kind, defineKind } from "./define-kind.ts";

/** Secret of the core group. */
export const secretKind: Kind = defineKind({
  version: "v1",
  kind: "Secret",
  rules: secretRules,
  defaults: secretDefaults,
  unconditionalUpdate: true,
  selectableFields: ["type"],
  columns: [
    builtinColumn("Type", (object) => text(object, "type")),
    builtinColumn("Data", (object) => size(object, "data")),
    ageColumn,
  ],
});

/** The defaults of a Secret: its type, and its texts as data. */
function secretDefaults(secret: ApiObject): ApiObject {
  const { stringData, ...rest } = secret;
  const typed: ApiObject = rest["type"] === undefined ? { ...rest, type: "Opaque" } : rest;
  if (!isRecord(stringData)) return typed;
  const data = isRecord(rest["data"]) ? { ...rest["data"] } : {};
  for (const [key, value] of Object.entries(stringData)) {
    if (typeof value === "string") setMember(data, key, encodeBase64(value));
  }
  return { ...typed, data };
}

function encodeBase64(value: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
