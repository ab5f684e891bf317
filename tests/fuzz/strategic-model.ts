import { isRecord } from "@listwatch/core-fifo/base";
import {
  divide,
  interleave,
  keyOf,
  sortLike,
  withoutRepetitions,
} from "./strategic-order-model.ts";

/** Merge rule of a field. */
interface FieldRule {
  /** Key of the items of a merged list; "" for scalars. */
  readonly mergeKey?: string;
  readonly fields?: FieldRules;
}

/** Rules of fields, unless maps are merged and lists replaced. */
export interface FieldRules {
  readonly [name: string]: FieldRule;
}

type Fields = Readonly<Record<string, unknown>>;

const orderPrefix = "$setElementOrder/";
const deletionPrefix = "$deleteFromPrimitiveList/";

/**
 * Strategic merge patch as documented, copying everything. It does not remember deletions, so a
 * patch that deletes items of a list must not have an order for that list.
 *
 * @throws for a patch that a server rejects
 */
export function mergeModel(live: Fields, patch: Fields, rules: FieldRules): Fields {
  const { $patch: directive, ...plain } = patch;
  if (directive === "replace") return plain;
  if (directive === "delete") return {};
  if (Object.hasOwn(patch, "$patch")) throw new Error("unknown directive");
  const { $retainKeys: retained, ...members } = plain;
  const result = Object.hasOwn(plain, "$retainKeys")
    ? retain(live, members, retained)
    : { ...live };
  for (const name of Object.keys(members).filter((one) => one.startsWith(orderPrefix))) {
    const field = name.slice(orderPrefix.length);
    const merged = mergeOrdered(result[field], members, name, rules[field] ?? {});
    Reflect.deleteProperty(members, name);
    Reflect.deleteProperty(members, field);
    if (merged !== undefined) result[field] = merged;
  }
  for (const name of Object.keys(members).filter((one) => one.startsWith(deletionPrefix))) {
    const field = name.slice(deletionPrefix.length);
    const [items, deleted] = [result[field], members[name]];
    if (Array.isArray(items) && Array.isArray(deleted)) {
      result[field] = items.filter((item) => !deleted.includes(item));
    }
    Reflect.deleteProperty(members, name);
  }
  for (const [name, value] of Object.entries(members)) {
    const merged = mergeMember(result[name], value, rules[name] ?? {});
    if (merged === undefined) Reflect.deleteProperty(result, name);
    else result[name] = merged;
  }
  return result;
}

function retain(live: Fields, patch: Fields, retained: unknown): Record<string, unknown> {
  if (!Array.isArray(retained)) throw new Error("no list of keys");
  for (const [name, value] of Object.entries(patch)) {
    const isDirective = name.startsWith(orderPrefix) || name.startsWith(deletionPrefix);
    if (value !== null && !isDirective && !retained.includes(name)) throw new Error("not retained");
  }
  return Object.fromEntries(Object.entries(live).filter(([name]) => retained.includes(name)));
}

function mergeMember(live: unknown, value: unknown, rule: FieldRule): unknown {
  if (value === null) return undefined;
  if (isRecord(live) && isRecord(value)) return mergeModel(live, value, rule.fields ?? {});
  if (!Array.isArray(live) || !Array.isArray(value)) return plainValue(value);
  return rule.mergeKey === undefined ? value : mergeLists(live, value, rule.mergeKey, rule);
}

/** Removes nulls, and objects that have a directive. */
function plainValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainValue).filter((item) => item !== undefined);
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, "$patch")) return undefined;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  const plain = members.map(([name, member]) => [name, plainValue(member)] as const);
  return Object.fromEntries(plain.filter(([, member]) => member !== undefined));
}

function typeOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "list" : typeof value;
}

function checkTypes(...lists: readonly (readonly unknown[])[]): void {
  if (new Set(lists.flat().map(typeOf)).size > 1) throw new Error("items of several types");
}

function mergeLists(
  live: readonly unknown[],
  patch: readonly unknown[],
  mergeKey: string,
  rule: FieldRule,
): readonly unknown[] {
  if (live.length === 0 && patch.length === 0) return live;
  checkTypes(live, patch);
  if (!isRecord(live[0] ?? patch[0])) {
    const [known, rest] = divide(withoutRepetitions([...live, ...patch]), patch, "");
    return interleave(sortLike(known, patch, ""), sortLike(rest, live, ""), live, "");
  }
  const plain = patch.filter((item) => isRecord(item) && !Object.hasOwn(item, "$patch"));
  const kept = afterDirectives(live, patch, plain, mergeKey);
  const followed = kept.isReplaced ? [] : plain;
  const merged = [...kept.items];
  for (const item of followed) {
    const at = merged.findIndex((one) => keyOf(one, mergeKey) === keyOf(item, mergeKey));
    if (at < 0) merged.push(item);
    else merged[at] = mergeModel(merged[at] as Fields, item as Fields, rule.fields ?? {});
  }
  const [known, rest] = divide(merged, followed, mergeKey);
  const order = kept.items;
  return interleave(
    sortLike(known, followed, mergeKey),
    sortLike(rest, order, mergeKey),
    order,
    mergeKey,
  );
}

function afterDirectives(
  live: readonly unknown[],
  patch: readonly unknown[],
  plain: readonly unknown[],
  mergeKey: string,
): { readonly items: readonly unknown[]; readonly isReplaced: boolean } {
  let items = live;
  let isReplaced = false;
  for (const item of patch) {
    if (!isRecord(item) || !Object.hasOwn(item, "$patch")) continue;
    if (item["$patch"] === "replace") isReplaced = true;
    else if (item["$patch"] !== "delete") throw new Error("unknown directive");
    else {
      const key = keyOf(item, mergeKey);
      items = items.filter((one) => !isRecord(one) || one[mergeKey] !== key);
    }
  }
  return { items: isReplaced ? plain : items, isReplaced };
}

/** Deletions may be anywhere; other items with a directive only before the end of the order. */
function checkOrder(added: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  const items = added.filter((item) => !isRecord(item) || item["$patch"] !== "delete");
  let at = 0;
  for (const ordered of order) {
    for (let item = items[at]; isRecord(item) && Object.hasOwn(item, "$patch"); item = items[at]) {
      at++;
    }
    if (at < items.length && keyOf(ordered, mergeKey) === keyOf(items[at], mergeKey)) at++;
  }
  if (at < items.length) throw new Error("another order");
}

function mergeOrdered(
  live: unknown,
  patch: Fields,
  directive: string,
  rule: FieldRule,
): readonly unknown[] | undefined {
  const { mergeKey = "" } = rule;
  const field = directive.slice(orderPrefix.length);
  const [order, value] = [patch[directive], patch[field]];
  const isWrong = (list: unknown): boolean => list !== undefined && !Array.isArray(list);
  if (!Array.isArray(order) || isWrong(live) || isWrong(value)) throw new Error("no list");
  const [before, added] = [listOf(live), listOf(value)];
  if (added !== undefined && added.length > 0 && order.length > 0) {
    checkOrder(added, order, mergeKey);
  }
  if (before === undefined && added === undefined) return undefined;
  const merged =
    before === undefined
      ? listOf(plainItems(added))
      : added === undefined
        ? before
        : mergeLists(before, added, mergeKey, rule);
  const whole = [...(before ?? []), ...(added ?? [])];
  checkTypes(whole);
  if (whole.length === 0) throw new Error("no items");
  const [known, rest] = divide(merged ?? [], order, mergeKey);
  return interleave(
    sortLike(known, order, mergeKey),
    sortLike(rest, before ?? [], mergeKey),
    before ?? [],
    mergeKey,
  );
}

function plainItems(items: readonly unknown[] | undefined): unknown {
  return items?.filter((item) => !isRecord(item) || !Object.hasOwn(item, "$patch"));
}

function listOf(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
