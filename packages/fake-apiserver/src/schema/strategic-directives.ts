import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { ApiError } from "../api/api-error.ts";
import { plainServerError } from "../api/errors.ts";
import { goPrint, goPrintType } from "../base/go-print.ts";
import type { SchemaType } from "./schema-table.ts";

/** Member with a directive for the object that contains it. */
export const patchDirective = "$patch";

/** Properties of a field for strategic merge patch. */
export interface PatchField {
  readonly type: SchemaType;
  /** Type of a list's items. */
  readonly item: SchemaType;
  readonly strategy: "merge" | "replace" | undefined;
  /** "" for lists of scalars. */
  readonly mergeKey: string;
}

/** An invalid patch: 500 with a plain message, like the server. */
export function cannotMerge(message: string): Error {
  return plainServerError(message);
}

/** Error for an unknown value of `$patch`. */
export function badPatchType(directive: unknown, map: JsonObject): Error {
  return cannotMerge(`unknown patch type: ${goPrint(directive)} in map: ${goPrint(map)}`);
}

/** Error for a list item without the merge key. */
export function noMergeKey(item: JsonObject, mergeKey: string): Error {
  return cannotMerge(`map: ${goPrint(item)} does not contain declared merge key: ${mergeKey}`);
}

/** Returns a field of a type. @throws {ApiError} 500 for an unknown field */
export function fieldNamed(type: SchemaType, name: string): PatchField {
  if (type.kind !== "struct") {
    const kind = type.kind === "list" ? "slice" : type.kind;
    throw cannotMerge(`merging an object in json but data type is not struct, instead is: ${kind}`);
  }
  const field = type.fields.get(name);
  if (field === undefined) {
    const struct = type.name.slice(type.name.lastIndexOf(".") + 1);
    throw cannotMerge(
      `unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`,
    );
  }
  const { mergeKey = "", patchStrategies } = field;
  const strategy = patchStrategies.find((one) => one === "merge" || one === "replace");
  return {
    type: field.type,
    item: field.type.kind === "list" ? field.type.item : field.type,
    strategy,
    mergeKey,
  };
}

/**
 * Removes every object with a `$patch`, whatever its value, in place. Returns undefined for such an
 * object itself.
 */
export function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutDirectives).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, patchDirective)) return undefined;
  const members: MutableJsonObject = value;
  for (const name of Object.keys(members)) {
    const kept = withoutDirectives(members[name]);
    if (kept === undefined) delete members[name];
    else if (kept !== members[name]) members[name] = kept;
  }
  return members;
}

export function hasDirective(item: unknown): boolean {
  return isRecord(item) && Object.hasOwn(item, patchDirective);
}

/** Whether a list item only deletes another item. */
export function isDeletion(item: unknown): boolean {
  return isRecord(item) && item[patchDirective] === "delete";
}

/**
 * Returns the common type of all items in Go's notation.
 *
 * @throws {ApiError} 500 for items of several types, or without items
 */
export function elementType(...lists: readonly (readonly unknown[])[]): string {
  let type: string | undefined;
  for (const item of lists.flat(1)) {
    const next = goPrintType(item);
    if (type === undefined && next === "[]interface {}") throw listOfLists();
    type ??= next;
    if (type !== next) {
      throw cannotMerge(`list element types are not identical: ${goPrint(lists)}`);
    }
  }
  if (type === undefined) throw cannotMerge("no elements in any of the given slices");
  return type;
}

function listOfLists(): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}
