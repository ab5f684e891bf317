import type { Draft } from "../kinds/generate-object.ts";

/** An object that differs from a valid one in one place. */
export interface Mutation {
  /** The place and what it has there, such as `spec.replicas := -1`. */
  readonly name: string;
  readonly object: Draft;
}

/** Names and positions from an object to a value in it. */
export type Path = readonly (string | number)[];

// Items of a list obey the same rules: two show those that compare them.
const mutatedItems = 2;

/** Removes, empties, doubles or spoils each member of an object, one at a time. */
export function* mutationsOf(object: Draft): Generator<Mutation> {
  for (const path of pathsOf(object)) {
    if (isIdentity(path)) continue;
    const place = path.join(".");
    yield { name: `${place} removed`, object: changed(object, path, remove) };
    for (const [name, value] of spoiled(valueAt(object, path), path.length)) {
      yield {
        name: `${place} := ${name}`,
        object: changed(object, path, (parent, key) => void (parent[key] = value)),
      };
    }
  }
}

/** The places of all values in an object. */
export function* pathsOf(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (typeof value !== "object" || value === null) return;
  const keys = Array.isArray(value) ? value.slice(0, mutatedItems).keys() : Object.keys(value);
  for (const key of keys) yield* pathsOf(Reflect.get(value, key), [...path, key]);
}

function isIdentity([first, second]: Path): boolean {
  if (first === "metadata") return second === undefined || second === "name";
  return first === "apiVersion" || first === "kind";
}

const texts = ["", "Bad_Value!", "a/b", "-1"];
const numbers = [-1, 0, 70_000, 4_000_000_000];

/** Values that a rule may refuse, with their names. */
export function spoiled(value: unknown, depth: number): readonly (readonly [string, unknown])[] {
  if (typeof value === "string") {
    return [...texts.map((text) => [`"${text}"`, text] as const), ["300 letters", "a".repeat(300)]];
  }
  if (typeof value === "number") return numbers.map((number) => [String(number), number]);
  if (typeof value === "boolean") return [[String(!value), !value]];
  if (!Array.isArray(value)) {
    const bad = ["a bad key", { ...(value as Draft), "Bad Key!": "x" }] as const;
    return depth === 1 ? [["{}", {}]] : [["{}", {}], bad];
  }
  const [first] = value as readonly unknown[];
  const doubled = ["doubled", [...(value as readonly unknown[]), first]] as const;
  return value.length === 0 ? [] : [["[]", []], doubled];
}

type Members = Record<string | number, unknown>;

function changed(
  object: Draft,
  path: Path,
  change: (parent: Members, key: string | number) => void,
): Draft {
  const copy = structuredClone(object);
  change(valueAt(copy, path.slice(0, -1)) as Members, path.at(-1) ?? "");
  return copy;
}

function remove(parent: Members, key: string | number): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
}

export function valueAt(object: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Members)[key], object);
}
