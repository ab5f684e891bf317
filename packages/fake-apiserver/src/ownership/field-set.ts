import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { memberType, type FieldType } from "./field-type.ts";
import {
  compareElements,
  fieldElement,
  fieldNameOf,
  isPathElement,
  type PathElement,
  printElement,
} from "./path-element.ts";

const noChildren: ReadonlyMap<PathElement, FieldSet> = new Map();

/** An immutable set of paths into an object. A path and the paths below it are independent members. */
export class FieldSet {
  /** Whether the root path is a member. */
  readonly has: boolean;
  readonly children: ReadonlyMap<PathElement, FieldSet>;
  #json: JsonObject | undefined;

  /**
   * @param children none of them empty
   * @param json the encoded set, if it is known
   */
  constructor(has: boolean, children: ReadonlyMap<PathElement, FieldSet>, json?: JsonObject) {
    this.has = has;
    this.children = children;
    this.#json = json;
  }

  static get empty(): FieldSet {
    return empty;
  }

  /** The set of the root path alone. */
  static get here(): FieldSet {
    return here;
  }

  get isEmpty(): boolean {
    return !this.has && this.children.size === 0;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    if (this.includes(other)) return this;
    const children = new Map(this.children);
    for (const [element, child] of other.children) {
      const own = children.get(element);
      children.set(element, own === undefined ? child : own.union(child));
    }
    return new FieldSet(this.has || other.has, children);
  }

  /** Returns the paths that are not in the other set. Paths below those of the other set stay. */
  minus(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#without(other, this.has && !other.has, (child, taken) => child.minus(taken));
  }

  /** Returns the paths that are neither in the other set nor below one of its paths. */
  minusBelow(other: FieldSet): FieldSet {
    if (other.has) return FieldSet.empty;
    if (other.isEmpty || this.isEmpty) return this;
    return this.#without(other, this.has, (child, taken) => child.minusBelow(taken));
  }

  /** Whether all paths of another set are members. */
  includes(other: FieldSet): boolean {
    if (other === this) return true;
    if (other.has && !this.has) return false;
    for (const [element, child] of other.children) {
      if (this.children.get(element)?.includes(child) !== true) return false;
    }
    return true;
  }

  intersection(other: FieldSet): FieldSet {
    if (this.isEmpty || other.isEmpty) return FieldSet.empty;
    return this.#map(this.has && other.has, (element, child) => {
      const shared = other.children.get(element);
      return shared === undefined ? FieldSet.empty : child.intersection(shared);
    });
  }

  /** Adds the prefixes of all paths that end in a declared field of the type. */
  withDeclaredFields(type: FieldType): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const name = fieldNameOf(element);
      const inner = child.withDeclaredFields(typeOfElement(type, element));
      const isDeclared = name !== undefined && type.map?.fieldOf(name) !== undefined;
      const has = inner.has || (isDeclared && child.children.size > 0);
      children.set(element, new FieldSet(has, inner.children));
    }
    return new FieldSet(this.has, children);
  }

  /** Returns the paths as in messages, in the order of the set. */
  paths(prefix = ""): string[] {
    const found: string[] = [];
    const elements = [...this.children].toSorted(([a], [b]) => compareElements(a, b));
    for (const [element, child] of elements) {
      if (child.has) found.push(prefix + printElement(element));
    }
    for (const [element, child] of elements) {
      found.push(...child.paths(prefix + printElement(element)));
    }
    return found;
  }

  /** Returns the set as `fieldsV1`. Must not be modified. */
  toJson(): JsonObject {
    return (this.#json ??= this.#encode());
  }

  /** Whether the JSON is in the order of the paths, as in newly encoded sets. */
  get isOrdered(): boolean {
    let last = "";
    for (const element in this.toJson()) {
      const isNext = last === "" || last === "." || compareElements(last, element) < 0;
      if (!isNext || this.children.get(element)?.isOrdered === false) return false;
      last = element;
    }
    // A dot is only written for a path that has others below it.
    return last !== ".";
  }

  #encode(): JsonObject {
    const json: MutableJsonObject = {};
    if (this.has && this.children.size > 0) json["."] = {};
    for (const element of [...this.children.keys()].toSorted(compareElements)) {
      json[element] = this.children.get(element)?.toJson();
    }
    return json;
  }

  // Usually little is removed, so the rest is shared.
  #without(
    other: FieldSet,
    has: boolean,
    change: (child: FieldSet, taken: FieldSet) => FieldSet,
  ): FieldSet {
    let children: Map<PathElement, FieldSet> | undefined;
    for (const [element, taken] of other.children) {
      const child = this.children.get(element);
      const left = child && change(child, taken);
      if (left === undefined || left === child) continue;
      children ??= new Map(this.children);
      if (left.isEmpty) children.delete(element);
      else children.set(element, left);
    }
    if (children === undefined && has === this.has) return this;
    return new FieldSet(has, children ?? this.children);
  }

  #map(has: boolean, change: (element: PathElement, child: FieldSet) => FieldSet): FieldSet {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const changed = change(element, child);
      if (!changed.isEmpty) children.set(element, changed);
    }
    return new FieldSet(has, children);
  }
}

// Created outside the class because the compiler's output would use it too early.
const empty = new FieldSet(false, noChildren);
const here = new FieldSet(true, noChildren);

function typeOfElement(type: FieldType, element: PathElement): FieldType {
  const name = fieldNameOf(element);
  if (name === undefined) return type.list?.item ?? {};
  return type.map === undefined ? {} : memberType(type.map, name);
}

/** Decodes `fieldsV1`; `undefined` if it is invalid. */
export function decodeFieldSet(json: unknown): FieldSet | undefined {
  return isRecord(json) ? decodeNode(json, true, false) : undefined;
}

/** Same as {@link decodeFieldSet}, for sets from storage, which are encoded unchanged. */
export function decodeStoredFieldSet(json: unknown): FieldSet | undefined {
  return isRecord(json) ? decodeNode(json, true, true) : undefined;
}

function decodeNode(json: JsonObject, isRoot: boolean, isStored: boolean): FieldSet | undefined {
  let children: Map<PathElement, FieldSet> | undefined;
  let hasDot = false;
  for (const element in json) {
    if (element === ".") {
      hasDot = true;
      continue;
    }
    const value = json[element];
    if (!isPathElement(element) || !isRecord(value)) return undefined;
    const child = decodeNode(value, false, isStored);
    if (child === undefined) return undefined;
    children ??= new Map();
    children.set(element, child);
  }
  if (children !== undefined) return new FieldSet(hasDot, children, isStored ? json : undefined);
  // Most sets end here. Their encoding is the same except for a dot, which stays if stored.
  if (isStored && hasDot) return new FieldSet(!isRoot, noChildren, json);
  return isRoot ? FieldSet.empty : FieldSet.here;
}

/** Creates a set of paths, given as arrays of elements. */
export function fieldSetOf(...paths: readonly (readonly string[])[]): FieldSet {
  let set = FieldSet.empty;
  for (const path of paths) {
    let node = FieldSet.here;
    for (const name of path.toReversed())
      node = new FieldSet(false, new Map([[fieldElement(name), node]]));
    set = set.union(node);
  }
  return set;
}
