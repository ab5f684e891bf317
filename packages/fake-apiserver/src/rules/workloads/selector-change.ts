import { isJsonEqual, type JsonObject } from "@listwatch/core-fifo/base";
import type { FieldError } from "../../api/errors.ts";
import { invalidShown } from "../../validation/field-errors.ts";
import { showSelector } from "./selected-template.ts";

/** A selector that no update may change. */
export function checkSelectorKept(spec: JsonObject, stored: JsonObject): readonly FieldError[] {
  const { selector } = spec;
  if (isJsonEqual(selector, stored["selector"])) return [];
  return [invalidShown("spec.selector", showSelector(selector), "field is immutable")];
}
