import * as fc from "fast-check";
import { isRecord } from "@listwatch/core-fifo/base";
import { anyJson, serverOfThings, thing, things } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

const api = serverOfThings();

/** Returns the server's result for a spec; undefined if it rejects the patch. */
async function patched(spec: unknown, patch: unknown, type: string): Promise<unknown> {
  const json = { "content-type": "application/json" };
  const created = await api.fetch(things, {
    method: "POST",
    headers: json,
    body: JSON.stringify(thing("a", spec)),
  });
  if (!created.ok) throw new Error(`Cannot create: ${await created.text()}`);
  const answer = await api.fetch(`${things}/a`, {
    method: "PATCH",
    headers: { "content-type": `application/${type}+json` },
    body: JSON.stringify(patch),
  });
  const text = await answer.text();
  await (await api.fetch(`${things}/a`, { method: "DELETE" })).text();
  if (answer.status >= 500) throw new Error(`answered ${answer.status}: ${text}`);
  return answer.ok ? { spec: (JSON.parse(text) as { spec?: unknown }).spec } : "refused";
}

interface Operation {
  readonly op: string;
  readonly path: readonly string[];
  readonly from: readonly string[];
  readonly value: unknown;
}

/**
 * RFC 6902, copying everything. As in Kubernetes' library, a missing member can be replaced, and
 * its copy is null.
 */
function apply(document: unknown, { op, path, from, value }: Operation): unknown {
  switch (op) {
    case "add":
      return add(document, path, value);
    case "remove":
      return remove(document, path);
    case "replace":
      return read(document, path, undefined) === undefined
        ? add(document, path, value)
        : add(remove(document, path), path, value);
    case "copy":
      return add(document, path, read(document, from, null));
    case "move":
      // As in Kubernetes' library: a value may be moved to a place that its removal makes.
      return add(remove(document, from), path, read(document, from));
    default:
      checkSame(read(document, path), value, "test");
      return document;
  }
}

function read(
  value: unknown,
  [key, ...rest]: readonly string[],
  ...missing: readonly unknown[]
): unknown {
  if (key === undefined) return value;
  if (Array.isArray(value)) return read(value[indexOf(key, value.length - 1)], rest, ...missing);
  if (isRecord(value) && Object.hasOwn(value, key)) return read(value[key], rest, ...missing);
  // A missing member of an existing object.
  if (isRecord(value) && rest.length === 0 && missing.length > 0) return missing[0];
  throw new Error("no such member");
}

function add(value: unknown, [key, ...rest]: readonly string[], added: unknown): unknown {
  if (key === undefined) return added;
  if (Array.isArray(value)) {
    if (rest.length === 0) {
      return value.toSpliced(key === "-" ? value.length : indexOf(key, value.length), 0, added);
    }
    const index = indexOf(key, value.length - 1);
    return value.with(index, add(value[index], rest, added));
  }
  if (!isRecord(value)) throw new Error("no place for a member");
  if (rest.length > 0 && !Object.hasOwn(value, key)) throw new Error("no such member");
  return { ...value, [key]: add(value[key], rest, added) };
}

function remove(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) throw new Error("the root stays");
  const member = read(value, [key]);
  const index = Array.isArray(value) ? indexOf(key, value.length - 1) : 0;
  if (rest.length > 0) {
    const left = remove(member, rest);
    return Array.isArray(value)
      ? value.with(index, left)
      : Object.assign({}, value, { [key]: left });
  }
  if (Array.isArray(value)) return value.toSpliced(index, 1);
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => name !== key));
}

function indexOf(key: string, last: number): number {
  if (!/^(0|[1-9]\d*)$/.test(key) || Number(key) > last) throw new Error("no such place");
  return Number(key);
}

const key = fc.constantFrom("a", "b", "0", "1", "2", "-", "~", "/", "x y", "é");
const path = fc.array(key, { maxLength: 3 }).map((rest) => ["spec"].concat(rest));
const leaf = fc.constantFrom<unknown>(1, "t", true, {}, []);
const spec = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(key, tie("any"), { maxKeys: 3 }),
  ),
})).any;

const operation = fc.record({
  op: fc.constantFrom("add", "add", "remove", "replace", "copy", "move", "test"),
  path,
  from: path,
  value: spec,
});

function write(operations: readonly Operation[]): unknown {
  const pointer = (keys: readonly string[]): string =>
    keys.map((one) => `/${one.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  return operations.map(({ op, path: to, from, value }) => ({
    op,
    path: pointer(to),
    ...(op === "copy" || op === "move" ? { from: pointer(from) } : {}),
    ...(op === "remove" ? {} : { value }),
  }));
}

function expected(document: unknown, operations: readonly Operation[]): unknown {
  try {
    const result = operations.reduce<unknown>(apply, { spec: document });
    return { spec: isRecord(result) ? result["spec"] : undefined };
  } catch {
    return "refused";
  }
}

/**
 * RFC 7396 as in Kubernetes' library: where nothing is merged, nulls are also removed from objects
 * in arrays.
 */
function merge(target: unknown, patch: unknown): unknown {
  if (!isRecord(target)) return withoutNulls(patch);
  if (!isRecord(patch)) return patch;
  const result: Record<string, unknown> = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, name);
    else result[name] = merge(result[name], value);
  }
  return result;
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

/** Patches, compared with models that are too simple to be wrong. */
export const patches: readonly AnyTarget[] = [
  fuzzTarget({
    name: "json-patch",
    inputs: fc.record({ spec, operations: fc.array(operation, { minLength: 1, maxLength: 4 }) }),
    check: async ({ spec: before, operations }) => {
      const actual = await patched(before, write(operations), "json-patch");
      checkSame(actual, expected(before, operations), "the patched object");
    },
  }),
  fuzzTarget({
    name: "merge-patch",
    inputs: fc.record({ spec: fc.dictionary(key, anyJson, { maxKeys: 3 }), patch: anyJson }),
    check: async ({ spec: before, patch }) => {
      const actual = await patched(before, { spec: patch }, "merge-patch");
      const merged = merge({ spec: before }, { spec: patch });
      checkSame(
        actual,
        { spec: isRecord(merged) ? merged["spec"] : undefined },
        "the merged object",
      );
    },
  }),
];
