import { compareBytes } from "../base/go-text.ts";
import { setMember } from "../base/read-fields.ts";
import { PatchNotApplicable } from "./errors.ts";

/** One operation of a JSON Patch. Missing members are `""`, a path that never resolves. */
export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: unknown;
}

type Members = Record<string, unknown>;
type Container = Members | unknown[];

/**
 * Maximum that all copies of a patch may add together, in characters of JSON (k8s.io/apiserver
 * `JSONPatchMaxCopyBytes`).
 */
const maxCopied = 3_145_728;

/**
 * A document under a JSON Patch. The one that it begins with is never changed: each container is
 * copied when it is written to for the first time, and changed in place from then on, so that many
 * operations on a large object cost one copy.
 */
export class PatchedDocument {
  #root: unknown;
  // The containers that only this document refers to.
  readonly #own = new WeakSet<Container>();
  // Members of objects that were compared, so that comparing again need not count them.
  readonly #sizes = new WeakMap<Members, number>();
  #copied = 0;

  constructor(document: unknown) {
    this.#root = document;
  }

  /**
   * The document now. Valid until the next operation. The members of objects that operations led
   * through are sorted, as the server's library writes them.
   */
  get value(): unknown {
    return this.#sorted(this.#root);
  }

  /** Applies one operation. @throws {PatchNotApplicable} */
  apply({ op, path, from, value }: JsonPatchOperation): void {
    switch (op) {
      case "add":
        this.#add(path, value);
        break;
      case "remove":
        this.#remove(path);
        break;
      case "replace":
        this.#replace(path, value);
        break;
      case "copy":
        // A missing value is null, as in the server's library.
        this.#add(path, this.#copyOf(childOf(...this.#containerAt(from)) ?? null));
        break;
      case "move": {
        const moved = childOf(...this.#containerAt(from));
        this.#remove(from);
        this.#add(path, moved);
        break;
      }
      case "test":
        this.#test(path, value);
        break;
      default:
        throw new PatchNotApplicable(`"${op}" is no operation`);
    }
  }

  #add(path: string, value: unknown): void {
    const [target, key] = this.#ownContainerAt(path);
    if (!Array.isArray(target)) this.#set(target, key, value);
    else if (key === "-") target.push(value);
    else target.splice(arrayIndex(target.length + 1, key), 0, value);
  }

  #remove(path: string): void {
    const [target, key] = this.#ownContainerAt(path);
    if (Array.isArray(target)) {
      target.splice(arrayIndex(target.length, key), 1);
      return;
    }
    if (!Object.hasOwn(target, key)) throw missing(path);
    const size = this.#sizes.get(target);
    if (size !== undefined) this.#sizes.set(target, size - 1);
    delete target[key];
  }

  #replace(path: string, value: unknown): void {
    if (path === "") {
      if (!isContainer(value)) {
        throw new PatchNotApplicable("Replacing a whole document needs an object or array");
      }
      this.#root = value;
      return;
    }
    const [target, key] = this.#ownContainerAt(path);
    // A missing member is set, as by the server's library.
    if (Array.isArray(target)) target[arrayIndex(target.length, key)] = value;
    else this.#set(target, key, value);
  }

  #test(path: string, expected: unknown): void {
    // A missing value equals null, as in the server's library; a missing container does not.
    const actual = path === "" ? this.#root : (childOf(...this.#containerAt(path)) ?? null);
    if (!this.#isEqual(actual, expected)) throw new PatchNotApplicable(`Testing ${path} failed`);
  }

  /** Takes as long as the expected value is large, however large the actual one is. */
  #isEqual(actual: unknown, expected: unknown): boolean {
    if (!isContainer(actual) || !isContainer(expected)) return actual === expected;
    if (Array.isArray(actual) || Array.isArray(expected)) {
      if (!Array.isArray(actual) || !Array.isArray(expected)) return false;
      if (actual.length !== expected.length) return false;
      return expected.every((item, index) => this.#isEqual(actual[index], item));
    }
    const keys = Object.keys(expected);
    if (keys.length !== this.#sizeOf(actual)) return false;
    return keys.every(
      (key) => Object.hasOwn(actual, key) && this.#isEqual(actual[key], expected[key]),
    );
  }

  #sizeOf(members: Members): number {
    const size = this.#sizes.get(members) ?? Object.keys(members).length;
    this.#sizes.set(members, size);
    return size;
  }

  #set(target: Members, key: string, value: unknown): void {
    const size = this.#sizes.get(target);
    if (size !== undefined && !Object.hasOwn(target, key)) this.#sizes.set(target, size + 1);
    setMember(target, key, value);
  }

  /** The container a path ends in, and the last key of the path. */
  #containerAt(path: string): [Container, string] {
    const keys = parsePointer(path);
    const last = keys.pop();
    let container = this.#root;
    for (const key of keys)
      container = isContainer(container) ? childOf(container, key) : undefined;
    if (last === undefined || !isContainer(container)) throw missing(path);
    return [container, last];
  }

  /** As {@link #containerAt}, with a container that may be changed. */
  #ownContainerAt(path: string): [Container, string] {
    const keys = parsePointer(path);
    const last = keys.pop();
    if (last === undefined || !isContainer(this.#root)) throw missing(path);
    let container = this.#owned(this.#root);
    this.#root = container;
    for (const key of keys) {
      const child = childOf(container, key);
      if (!isContainer(child)) throw missing(path);
      const own = this.#owned(child);
      if (Array.isArray(container)) container[arrayIndex(container.length, key)] = own;
      else setMember(container, key, own);
      container = own;
    }
    return [container, last];
  }

  #sorted(value: unknown): unknown {
    if (!isContainer(value) || !this.#own.has(value)) return value;
    if (Array.isArray(value)) return value.map((item) => this.#sorted(item));
    const sorted: Members = {};
    for (const key of Object.keys(value).toSorted(compareBytes)) {
      setMember(sorted, key, this.#sorted(value[key]));
    }
    return sorted;
  }

  #owned(container: Container): Container {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }

  /** A copy that shares nothing, so that a change to one is none to the other. */
  #copyOf(value: unknown): unknown {
    if (!isContainer(value)) {
      this.#copied += typeof value === "string" ? value.length + 2 : 4;
      if (this.#copied > maxCopied) {
        throw new PatchNotApplicable(`Copies add more than ${maxCopied} characters`);
      }
      return value;
    }
    this.#copied += 2;
    if (Array.isArray(value)) return value.map((item) => this.#copyOf(item));
    const copy: Members = {};
    for (const [key, member] of Object.entries(value)) {
      this.#copied += key.length + 3;
      setMember(copy, key, this.#copyOf(member));
    }
    return copy;
  }
}

/** Splits a JSON pointer (RFC 6901); anything before the first slash is ignored, as the server does. */
function parsePointer(path: string): string[] {
  return path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function childOf(target: Container, key: string): unknown {
  if (Array.isArray(target)) return target[arrayIndex(target.length, key)];
  return Object.hasOwn(target, key) ? target[key] : undefined;
}

/** The server allows negative indices, which count from the end. */
function arrayIndex(length: number, key: string): number {
  if (!/^[+-]?\d+$/.test(key)) throw new PatchNotApplicable(`"${key}" is no array index`);
  const index = Number(key);
  const position = index < 0 ? index + length : index;
  if (position < 0 || position >= length) {
    throw new PatchNotApplicable(`Index ${key} is outside of an array of ${length}`);
  }
  return position;
}

function missing(path: string): PatchNotApplicable {
  return new PatchNotApplicable(`Nothing is at ${path}`);
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
