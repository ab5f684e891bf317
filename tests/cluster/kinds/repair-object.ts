import type { Draft, ObjectGenerator, Schema } from "./generate-object.ts";

/** One cause of a refusal. */
export interface Cause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

// A member that a server asks for again and again cannot be generated.
const maxAdds = 3;
// Tried one after the other where a server refuses a string; then the member is removed.
const candidates: readonly unknown[] = [
  "a.example.net",
  "a.example.net/a",
  "/a",
  "10.1.0.0/16",
  "192.0.2.1",
  "https://a.example.net/a",
  "a=b",
  "1",
  10,
  600,
  0,
  false,
];

/**
 * Changes an object as a server asks for, until the server takes it: members that are required are
 * generated, those that are forbidden go, and others get a further value.
 */
export class ObjectRepair {
  readonly #generator: ObjectGenerator;
  readonly #schema: Schema;
  readonly #tries: Map<string, number> = new Map();

  constructor(generator: ObjectGenerator, schema: Schema) {
    this.#generator = generator;
    this.#schema = schema;
  }

  /** Returns whether it has changed anything. */
  repair(object: Draft, causes: readonly Cause[]): boolean {
    let changed = false;
    // The last items of lists first, so that the places of the others stay.
    for (const cause of causes.toReversed()) {
      for (const path of pathsIn(object, parsePath(cause.field ?? ""))) {
        if (path.length > 0 && this.#mend(object, path, cause)) changed = true;
      }
    }
    return changed;
  }

  #mend(object: Draft, path: readonly string[], { message = "", reason }: Cause): boolean {
    const key = path.join("/");
    const tried = this.#tries.get(key) ?? 0;
    this.#tries.set(key, tried + 1);
    const value = valueAt(object, path);
    const quoted = [...message.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? "");
    if (reason === "FieldValueRequired" && isEmpty(value)) {
      const [first] = quoted;
      if (first !== undefined) return set(object, path, first);
      return tried < maxAdds && this.#add(object, path);
    }
    if (value === undefined && tried < maxAdds && this.#add(object, path)) return true;
    if (isAlternative(message) && withoutLast(value)) return true;
    if (reason === "FieldValueNotSupported" && tried < quoted.length - 1) {
      const listed = message.slice(message.indexOf("supported values"));
      const names = [...listed.matchAll(/"([^"]*)"/g)].map(([, text]) => text ?? "");
      const supported = names[tried];
      if (isRecord(value)) return keepOnly(value, names) || removeNearest(object, path);
      if (Array.isArray(value) && value.some(isRecord)) return removeNearest(object, path);
      if (supported === undefined) return removeNearest(object, path);
      return set(object, path, Array.isArray(value) ? [supported] : supported);
    }
    const [, last] = /must be either .* or (\w+)$/.exec(message) ?? [];
    if (last !== undefined && tried < maxAdds) return set(object, path, last);
    if (reason === "FieldValueInvalid" && typeof value !== "object") {
      for (let next = tried; next < candidates.length; next++) {
        this.#tries.set(key, next + 1);
        const isSame = typeof candidates[next] === typeof value;
        if (isSame && set(object, path, candidates[next])) return true;
      }
    }
    return removeNearest(object, path);
  }

  /** Repairs again after a server could not decode the repaired object: other texts go. */
  repairByRemoval(object: Draft, causes: readonly Cause[]): void {
    for (const cause of causes.toReversed()) {
      for (const path of pathsIn(object, parsePath(cause.field ?? ""))) {
        const isScalar = typeof valueAt(object, path) !== "object";
        const isText = cause.reason !== "FieldValueRequired" && isScalar;
        if (isText) removeNearest(object, path);
        else if (path.length > 0) this.#mend(object, path, cause);
      }
    }
  }

  #add(object: Draft, path: readonly string[]): boolean {
    let schema = this.#schema;
    for (const [index, step] of path.entries()) {
      const found = this.#generator.resolve(schema);
      const { additionalProperties: values, items, properties = {} } = found;
      const next = properties[step] ?? items ?? (typeof values === "object" ? values : undefined);
      // Metadata and selectors are generated whole.
      if (next === undefined && found.format !== undefined) {
        return set(object, path.slice(0, index), this.#generator.value(found, "", index));
      }
      if (next === undefined) return false;
      schema = next;
    }
    return set(object, path, this.#generator.value(schema, path.at(-1) ?? "", path.length));
  }
}

/** Parses `spec.ports[0].name` and `metadata.annotations[a/b]`. */
function parsePath(field: string): readonly string[] {
  return [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([whole, key]) => key ?? whole);
}

// A server may leave out the places in lists: `ports.protocol`.
function pathsIn(object: unknown, path: readonly string[]): readonly (readonly string[])[] {
  let paths: readonly (readonly string[])[] = [[]];
  for (const step of path) {
    paths = paths.flatMap((before) => {
      const value = valueAt(object, before);
      const isSkipped = Array.isArray(value) && !/^\d+$/.test(step);
      const parents = isSkipped ? value.map((_, index) => before.concat(String(index))) : [before];
      return parents.map((parent) => parent.concat(step));
    });
  }
  return paths.toReversed();
}

function isRecord(value: unknown): value is Draft {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function keepOnly(value: Draft, names: readonly string[]): boolean {
  const others = Object.keys(value).filter((name) => !names.includes(name));
  for (const name of others) delete value[name];
  return others.length > 0;
}

function valueAt(object: unknown, path: readonly string[]): unknown {
  let value = object;
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Draft)[step];
  }
  return value;
}

function set(object: Draft, path: readonly string[], value: unknown): boolean {
  let parent = object;
  for (const [index, step] of path.slice(0, -1).entries()) {
    const next = (parent[step] ??= /^\d+$/.test(path[index + 1] ?? "") ? [] : {});
    if (typeof next !== "object" || next === null) return false;
    parent = next as Draft;
  }
  parent[path.at(-1) ?? ""] = value;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function isAlternative(message: string): boolean {
  return /exactly one|(?:cannot|may not) be both|cannot set both|only one|more than 1/.test(
    message,
  );
}

function withoutLast(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const names = Object.keys(value);
  if (names.length < 2) return false;
  delete (value as Draft)[names.at(-1) ?? ""];
  return true;
}

// A path of a refusal may lead into a value, such as the text of a selector.
function removeNearest(object: Draft, path: readonly string[]): boolean {
  for (let length = path.length; length > 1; length--) {
    const parent = valueAt(object, path.slice(0, length - 1));
    const step = path[length - 1] ?? "";
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, step)) continue;
    if (Array.isArray(parent)) parent.splice(Number(step), 1);
    else delete (parent as Draft)[step];
    return true;
  }
  return false;
}
