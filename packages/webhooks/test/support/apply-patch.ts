import type { JsonPatch } from "@listwatch/client";

/** A naive RFC 6902, for the operations that comparisons make. Fails where a server fails. */
export function applyPatch(value: unknown, patch: JsonPatch): unknown {
  const root = { "": structuredClone(value) };
  for (const operation of patch) {
    const names = operation.path
      .split("/")
      .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
    const last = names.pop()!;
    let parent: unknown = root;
    for (const name of names) parent = memberOf(parent, name);
    if (operation.op === "remove") remove(parent, last);
    else if (operation.op === "add") add(parent, last, operation.value);
    else if (operation.op === "replace") replace(parent, last, operation.value);
    else throw new Error(`unexpected ${operation.op}`);
  }
  return root[""];
}

function memberOf(parent: unknown, name: string): unknown {
  check(parent, name);
  return Reflect.get(parent as object, name);
}

function remove(parent: unknown, name: string): void {
  check(parent, name);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else Reflect.deleteProperty(parent as object, name);
}

function replace(parent: unknown, name: string, value: unknown): void {
  check(parent, name);
  define(parent as object, name, value);
}

function add(parent: unknown, name: string, value: unknown): void {
  if (!Array.isArray(parent)) return define(parent as object, name, value);
  if (!/^\d+$/.test(name) || Number(name) > parent.length) throw new Error(`no index ${name}`);
  parent.splice(Number(name), 0, value);
}

function check(parent: unknown, name: string): void {
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name)) {
    throw new Error(`no member ${name}`);
  }
}

// A member named `__proto__` is one like any other.
function define(parent: object, name: string, value: unknown): void {
  Object.defineProperty(parent, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}
