import { compareBytes, goQuote } from "../base/go-text.ts";
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

  /**
   * Applies one operation. Messages are those of the server's library, evanphx/json-patch v4.
   *
   * @throws {PatchNotApplicable}
   */
  apply({ op, path, from, value }: JsonPatchOperation): void {
    switch (op) {
      case "add":
        inside(`error in add for path: '${path}'`, () =>
          this.#add(path, value, `add operation does not apply: doc is missing path: "${path}"`),
        );
        break;
      case "remove":
        inside(`error in remove for path: '${path}'`, () =>
          this.#remove(path, `remove operation does not apply: doc is missing path: "${path}"`),
        );
        break;
      case "replace":
        this.#replace(path, value);
        break;
      case "copy":
        // A missing value is null, as in the server's library.
        this.#copy(from, path);
        break;
      case "move":
        this.#move(from, path);
        break;
      case "test":
        this.#test(path, value);
        break;
      default:
        throw new PatchNotApplicable(`Unexpected kind: ${op === "" ? "unknown" : op}`);
    }
  }

  #add(path: string, value: unknown, absent: string): void {
    const [target, key] = this.#ownContainerAt(path, absent);
    if (!Array.isArray(target)) this.#set(target, key, value);
    else if (key === "-") target.push(value);
    else
      target.splice(
        arrayIndex(target.length + 1, key, "value was not a proper array index: "),
        0,
        value,
      );
  }

  #remove(path: string, absent: string): void {
    const [target, key] = this.#ownContainerAt(path, absent);
    if (Array.isArray(target)) {
      target.splice(arrayIndex(target.length, key), 1);
      return;
    }
    if (!Object.hasOwn(target, key)) {
      throw new KeyProblem(`Unable to remove nonexistent key: ${key}: ${missingValue}`);
    }
    const size = this.#sizes.get(target);
    if (size !== undefined) this.#sizes.set(target, size - 1);
    delete target[key];
  }

  #replace(path: string, value: unknown): void {
    if (path === "") {
      if (!isContainer(value)) {
        throw new PatchNotApplicable("replace operation value must be object or array: %!w(<nil>)");
      }
      this.#root = value;
      return;
    }
    const start = "replace operation does not apply: doc is missing";
    const [target, key] = this.#ownContainerAt(path, `${start} path: ${path}`);
    // A missing member is set, as by the server's library.
    if (!Array.isArray(target)) {
      this.#set(target, key, value);
      return;
    }
    try {
      target[arrayIndex(target.length, key)] = value;
    } catch (error) {
      if (!(error instanceof KeyProblem)) throw error;
      throw new PatchNotApplicable(`${start} key: ${path}: ${missingValue}`);
    }
  }

  #copy(from: string, path: string): void {
    const start = "copy operation does not apply: doc is missing";
    const source = inside(`error in copy for from: '${from}'`, () =>
      childOf(...this.#containerAt(from, `${start} from path: ${from}`)),
    );
    const copy = this.#copyOf(source ?? null);
    inside("error while adding value during copy", () =>
      this.#add(path, copy, `${start} destination path: ${path}`),
    );
  }

  #move(from: string, path: string): void {
    const start = "move operation does not apply: doc is missing";
    const absent = `${start} from path: ${from}`;
    const moved = inside(`error in move for path: '${from.split("/").at(-1)}'`, () => {
      const found = childOf(...this.#containerAt(from, absent));
      this.#remove(from, absent);
      return found;
    });
    inside(`error in move for path: '${path}'`, () =>
      this.#add(path, moved, `${start} destination path: ${path}`),
    );
  }

  #test(path: string, expected: unknown): void {
    const absent = `test operation does not apply: is missing path: ${path}`;
    // A missing value equals null, as in the server's library; a missing container does not.
    const actual =
      path === ""
        ? this.#root
        : inside(`error in test for path: '${path}'`, () =>
            childOf(...this.#containerAt(path, absent)),
          );
    if (this.#isEqual(actual ?? null, expected)) return;
    throw new PatchNotApplicable(`testing value ${path} failed: test failed`);
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
  #containerAt(path: string, absent: string): [Container, string] {
    const keys = parsePointer(path);
    const last = keys.pop();
    let container = this.#root;
    for (const key of keys) {
      container = isContainer(container) ? childIfAny(container, key) : undefined;
    }
    if (last === undefined || !isContainer(container)) throw missing(absent);
    return [container, last];
  }

  /** As {@link #containerAt}, with a container that may be changed. */
  #ownContainerAt(path: string, absent: string): [Container, string] {
    const keys = parsePointer(path);
    const last = keys.pop();
    if (last === undefined || !isContainer(this.#root)) throw missing(absent);
    let container = this.#owned(this.#root);
    this.#root = container;
    for (const key of keys) {
      const child = childIfAny(container, key);
      if (!isContainer(child)) throw missing(absent);
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

// A path that leads through an index that does not exist is missing as a whole.
function childIfAny(target: Container, key: string): unknown {
  try {
    return childOf(target, key);
  } catch (error) {
    if (error instanceof KeyProblem) return undefined;
    throw error;
  }
}

/**
 * The server allows negative indices, which count from the end.
 *
 * @param start what the message says before an index that is not a number
 */
function arrayIndex(length: number, key: string, start = ""): number {
  if (!/^[+-]?\d+$/.test(key)) {
    const why = `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
    throw new KeyProblem(start === "" ? why : `${start}'${key}': ${why}`);
  }
  const index = Number(key);
  const position = index < 0 ? index + length : index;
  if (position < 0 || position >= length) {
    throw new KeyProblem(`Unable to access invalid index: ${index}: invalid index referenced`);
  }
  return position;
}

const missingValue = "missing value";

function missing(absent: string): PatchNotApplicable {
  return new PatchNotApplicable(`${absent}: ${missingValue}`);
}

/** A key that its container does not have. */
class KeyProblem extends Error {
  override readonly name: string = "KeyProblem";
}

/** Puts the operation in front of the message of a {@link KeyProblem}. */
function inside<T>(operation: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof KeyProblem)) throw error;
    throw new PatchNotApplicable(`${operation}: ${error.message}`);
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}
