import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { badRequest } from "../api/errors.ts";
import { goPrintType } from "../base/go-print.ts";
import { memberOf, setMember } from "../base/read-fields.ts";
import type { SchemaType } from "./schema-table.ts";
import {
  badPatchType,
  cannotMerge,
  fieldNamed,
  patchDirective,
  type PatchField,
  withoutDirectives,
} from "./strategic-directives.ts";
import { deleteItems, mergeLists } from "./strategic-lists.ts";
import { orderList } from "./strategic-order.ts";

const retainKeys = "$retainKeys";
const elementOrder = "$setElementOrder";
const deletions = "$deleteFromPrimitiveList";

/**
 * Merges a strategic merge patch into an object like k8s.io/apimachinery util/strategicpatch. The
 * object is not changed; the result shares what the patch does not name. The patch is consumed.
 *
 * @throws {ApiError} 500 if the patch does not fit the object or its type, 400 for malformed
 *   directives
 */
export function mergeStrategicPatch(
  object: JsonObject,
  patch: MutableJsonObject,
  type: SchemaType,
): MutableJsonObject {
  if (Object.hasOwn(patch, patchDirective)) {
    const directive = patch[patchDirective];
    if (directive === "replace") {
      delete patch[patchDirective];
      return patch;
    }
    if (directive === "delete") return {};
    throw badPatchType(directive, patch);
  }
  const live: MutableJsonObject = { ...object };
  retain(live, patch);
  for (const name of Object.keys(patch)) {
    if (name.startsWith(elementOrder)) mergeOrdered(live, patch, name, type);
  }
  // Deletions first: a real server follows the random order of Go's maps if additions overlap.
  for (const name of Object.keys(patch)) {
    if (name.startsWith(deletions)) deleteMembers(live, patch[name], fieldAfter(name, deletions));
  }
  for (const name of Object.keys(patch)) {
    if (!name.startsWith(deletions)) mergeMember(live, name, patch[name], type);
  }
  return live;
}

function mergeMember(
  live: MutableJsonObject,
  name: string,
  value: unknown,
  type: SchemaType,
): void {
  if (value === null) {
    delete live[name];
    return;
  }
  const current = memberOf(live, name);
  if (isRecord(current) && isRecord(value)) {
    const { strategy, type: inner } = fieldNamed(type, name);
    const merged = strategy === "replace" ? value : mergeStrategicPatch(current, value, inner);
    setMember(live, name, merged);
  } else if (isList(current) && isList(value)) {
    setMember(live, name, mergeField(current.slice(), value, fieldNamed(type, name)));
  } else {
    takeOver(live, name, value);
  }
}

/** Takes over a value of the patch without nulls and directives. */
function takeOver(live: MutableJsonObject, name: string, value: unknown): void {
  discardNulls(value);
  const kept = withoutDirectives(value);
  if (kept === undefined) delete live[name];
  else setMember(live, name, kept);
}

function mergeField(
  current: unknown[],
  value: readonly unknown[],
  { item, mergeKey, strategy }: PatchField,
): readonly unknown[] {
  if (strategy !== "merge") return value;
  return mergeLists(current, value, mergeKey, (liveItem, patchItem) =>
    mergeStrategicPatch(liveItem, patchItem, item),
  );
}

function retain(live: MutableJsonObject, patch: MutableJsonObject): void {
  if (!Object.hasOwn(patch, retainKeys)) return;
  const names = patch[retainKeys];
  delete patch[retainKeys];
  const malformed = badRequest("invalid patch format of retainKeys");
  if (!Array.isArray(names)) throw malformed;
  const kept = new Set<unknown>(names);
  for (const [name, value] of Object.entries(patch)) {
    const isDirective = name.startsWith(deletions) || name.startsWith(elementOrder);
    if (value !== null && !isDirective && !kept.has(name)) throw malformed;
  }
  for (const name of Object.keys(live)) if (!kept.has(name)) delete live[name];
}

function mergeOrdered(
  live: MutableJsonObject,
  patch: MutableJsonObject,
  directive: string,
  type: SchemaType,
): void {
  const order = patch[directive];
  delete patch[directive];
  const asList = (value: unknown): unknown[] => {
    if (isList(value)) return value;
    const received = goPrintType(value);
    throw cannotMerge(`expected a []interface {}, but received a ${received}`);
  };
  const orderItems = asList(order);
  const name = fieldAfter(directive, elementOrder);
  const current = Object.hasOwn(live, name) ? asList(live[name]).slice() : undefined;
  const value = Object.hasOwn(patch, name) ? asList(patch[name]) : undefined;
  const field = fieldNamed(type, name);
  const merge = (): readonly unknown[] | undefined => {
    if (current === undefined) return value?.map(withoutDirectives).filter(isGiven);
    return value === undefined ? current : mergeField(current, value, field);
  };
  const merged = orderList({ current, value, order: orderItems, mergeKey: field.mergeKey }, merge);
  if (merged === undefined) return;
  setMember(live, name, merged);
  delete patch[name];
}

function deleteMembers(live: MutableJsonObject, items: unknown, name: string): void {
  if (items === null) {
    delete live[name];
    return;
  }
  const current = memberOf(live, name);
  if (!Array.isArray(current) || !Array.isArray(items)) return;
  setMember(live, name, deleteItems(current, items));
}

function fieldAfter(directive: string, prefix: string): string {
  if (directive.startsWith(`${prefix}/`)) return directive.slice(prefix.length + 1);
  const what = prefix === deletions ? "primitive list" : "setElementOrder list";
  throw badRequest(`invalid patch format of ${what}`);
}

function discardNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(discardNulls);
  else if (isRecord(value)) {
    const members: MutableJsonObject = value;
    for (const name of Object.keys(members)) {
      if (members[name] === null) delete members[name];
      else discardNulls(members[name]);
    }
  }
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}

function isGiven(value: unknown): boolean {
  return value !== undefined;
}
