import { describeValue, isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { PemSource } from "../credentials/cluster-config.ts";

/**
 * An entry of a kubeconfig. Reads its members, and names file and entry in errors. A member that is
 * missing, `null` or an empty string counts as not set, as in Go.
 */
export class KubeconfigEntry {
  /** Path of the file. */
  readonly file: string;
  /** Description of the entry: `user "admin"`. */
  readonly what: string;
  readonly #members: JsonObject;

  constructor(file: string, what: string, members: JsonObject) {
    this.file = file;
    this.what = what;
    this.#members = members;
  }

  /** Returns a string; `undefined` if it is not set. */
  text(name: string): string | undefined {
    const value = this.#members[name] ?? "";
    // YAML reads a token or name of digits as a number.
    if (typeof value === "number") return String(value);
    if (typeof value !== "string") throw this.wrong(name, "a text", value);
    return value === "" ? undefined : value;
  }

  flag(name: string): boolean {
    const value = this.#members[name] ?? false;
    if (typeof value !== "boolean") throw this.wrong(name, "true or false", value);
    return value;
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((value) => {
      if (typeof value !== "string") throw this.wrong(name, "a list of texts", value);
      return value;
    });
  }

  list(name: string): readonly unknown[] {
    const value = this.#members[name] ?? [];
    if (!Array.isArray(value)) throw this.wrong(name, "a list", value);
    return value;
  }

  /** Returns a member with members; an empty one if it is not set. */
  entry(name: string): KubeconfigEntry {
    return this.optionalEntry(name) ?? new KubeconfigEntry(this.file, this.what, {});
  }

  optionalEntry(name: string): KubeconfigEntry | undefined {
    const value = this.#members[name] ?? undefined;
    if (value === undefined) return undefined;
    if (!isRecord(value)) throw this.wrong(name, "an object", value);
    return new KubeconfigEntry(this.file, `${this.what}, ${name}`, value);
  }

  get names(): readonly string[] {
    return Object.keys(this.#members);
  }

  /** Returns the path of a file, which may be relative to the kubeconfig. */
  path(name: string): string | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : resolvePath(value, this.file);
  }

  fail(reason: string): ConfigError {
    return new ConfigError(`Cannot use the kubeconfig ${this.file}: ${this.what}: ${reason}`);
  }

  // The value may be a misplaced credential, so only its type is shown.
  wrong(name: string, expected: string, value: unknown): ConfigError {
    const got = typeof value === "object" ? describeKind(value) : `a ${typeof value}`;
    return this.fail(`expected ${name} to be ${expected}, got ${got}`);
  }
}

function describeKind(value: unknown): string {
  return Array.isArray(value) ? "a list" : describeValue(value === null ? null : {});
}

/**
 * Resolves a path that is relative to a file, to an absolute one or one relative to the current
 * folder.
 */
function resolvePath(path: string, file: string): string {
  const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
  const end = Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\"));
  return isAbsolute || end < 0 ? path : withoutParents(file.slice(0, end + 1) + path);
}

/** Go joins paths as text: `a/../b` is `b`, even if `a` is a link or does not exist. */
function withoutParents(path: string): string {
  if (!/(^|[\\/])\.\.([\\/]|$)/.test(path)) return path;
  const kept: string[] = [];
  for (const part of path.split(/(?<=[\\/])/)) {
    const isParent = /^\.\.[\\/]?$/.test(part);
    const last = kept.at(-1) ?? "";
    if (isParent && /^[^\\/]+[\\/]$/.test(last) && !/^\.{1,2}[\\/]$/.test(last)) kept.pop();
    else kept.push(part);
  }
  return kept.join("");
}

/** Reads a member with a path and its variant with base64 data, which takes precedence. */
export function pemOf(entry: KubeconfigEntry, name: string): PemSource | undefined {
  const data = entry.text(`${name}-data`);
  if (data === undefined) {
    const file = entry.path(name);
    return file === undefined ? undefined : { file };
  }
  try {
    return { text: atob(data.replaceAll(/\s/g, "")) };
  } catch {
    throw entry.fail(`expected ${name}-data to be base64`);
  }
}
