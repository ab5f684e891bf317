import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";
import type { RecordedResource } from "@listwatch/fake-apiserver";

/** Replaces names in strings. */
export interface NameReplacer {
  replace(text: string): string;
}

/** Parts of objects that are recorded as they are, although they are replaced by default. */
export interface IncludedPath {
  /** Plural name of the resource, with or without its group. */
  readonly resource: string;
  /** Names of the members, outermost first; `*` is any member. Elements of arrays are not named. */
  readonly path: readonly string[];
}

/** A redacted object, and what was left out of it. */
export interface Redacted {
  readonly object: JsonObject;
  /** Paths that were left out, with the length of their JSON in characters. */
  readonly omitted: Readonly<Record<string, number>>;
}

/**
 * Reads `RESOURCE:PATH`, such as `widgets:status.conditions` or `configmaps:data["log.level"]`.
 *
 * @throws {TypeError} for another text
 */
export function readIncludedPath(text: string): IncludedPath {
  const colon = text.indexOf(":");
  const resource = text.slice(0, Math.max(colon, 0));
  const path = [...text.slice(colon + 1).matchAll(/\.?([^.[\]"]+)|\["([^"]+)"\]/gy)];
  const length = path.reduce((sum, [match]) => sum + match.length, 0);
  if (colon <= 0 || path.length === 0 || length !== text.length - colon - 1) {
    const example = 'configmaps:data["log.level"]';
    throw new TypeError(`expected RESOURCE:PATH such as ${example}, got "${text}"`);
  }
  return { resource, path: path.map(([, plain, quoted]) => plain ?? quoted ?? "") };
}

/** Groups of the kinds of Kubernetes itself. All others are of custom resources. */
const builtInGroups: ReadonlySet<string> = new Set([
  "",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "apiregistration.k8s.io",
  "apps",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "autoscaling",
  "batch",
  "certificates.k8s.io",
  "coordination.k8s.io",
  "discovery.k8s.io",
  "events.k8s.io",
  "extensions",
  "flowcontrol.apiserver.k8s.io",
  "internal.apiserver.k8s.io",
  "metrics.k8s.io",
  "networking.k8s.io",
  "node.k8s.io",
  "policy",
  "rbac.authorization.k8s.io",
  "resource.k8s.io",
  "scheduling.k8s.io",
  "storage.k8s.io",
  "storagemigration.k8s.io",
]);

/** Kinds whose objects describe other kinds: their names are not those of objects. */
const kindsOfKinds: ReadonlySet<string> = new Set(["CustomResourceDefinition", "APIService"]);

/** Members whose strings are not names, also when names are hashed. */
const neverNames: ReadonlySet<string> = new Set([
  "apiGroup",
  "apiGroups",
  "apiVersion",
  "effect",
  "fieldPath",
  "finalizers",
  "kind",
  "nonResourceURLs",
  "operator",
  "resourceVersion",
  "resources",
  "uid",
  "uids",
  "verbs",
]);
/** Members whose strings are names, also when they look like numbers or words of an API. */
const names: ReadonlySet<string> = new Set([
  "generateName",
  "hostname",
  "name",
  "namespace",
  "nodeName",
]);

/**
 * Removes from the objects of a resource what should not leave a cluster:
 *
 * - Secrets keep only their metadata;
 * - `managedFields` are left out;
 * - the last applied configuration, values of environment variables and of ConfigMaps, strings of
 *   custom resources outside their metadata, messages of events, and messages that containers wrote
 *   when they ended are replaced by their length: `<12 characters>`.
 *
 * With `hashes`, strings that may contain names are hashed, and free text is replaced by its
 * length. Labels and selectors are hashed alike, so that selectors still match.
 */
export class Redaction {
  readonly #resource: RecordedResource;
  readonly #includes: readonly (readonly string[])[];
  readonly #hashes: NameReplacer | undefined;

  constructor(
    resource: RecordedResource,
    includes: readonly IncludedPath[],
    hashes?: NameReplacer,
  ) {
    this.#resource = resource;
    const { group, resource: plural } = resource;
    const own = new Set([plural, group === "" ? plural : `${plural}.${group}`]);
    this.#includes = includes.filter((one) => own.has(one.resource)).map(({ path }) => path);
    this.#hashes = kindsOfKinds.has(resource.kind) ? undefined : hashes;
  }

  redact(object: JsonObject): Redacted {
    const omitted: Record<string, number> = {};
    const { managedFields, ...metadata } = recordOf(object["metadata"]);
    const keepsFields = managedFields !== undefined && this.#isOpen(["metadata", "managedFields"]);
    if (managedFields !== undefined && !keepsFields) {
      omitted["metadata.managedFields"] = JSON.stringify(managedFields).length;
    }
    const members = Object.entries({ ...object, metadata }).map(([name, value]) => [
      name,
      this.#member(value, [name], omitted),
    ]);
    const redacted: JsonObject = Object.fromEntries(
      members.filter(([, value]) => value !== undefined),
    );
    if (!keepsFields) return { object: redacted, omitted };
    return {
      object: { ...redacted, metadata: { ...recordOf(redacted["metadata"]), managedFields } },
      omitted,
    };
  }

  /** Returns a member of the object itself; `undefined` if it is left out. */
  #member(value: unknown, path: readonly string[], omitted: Record<string, number>): unknown {
    const [name = ""] = path;
    if (name === "apiVersion" || name === "kind") return value;
    if (name === "metadata") return this.#walk(value, path, false);
    const { group, kind } = this.#resource;
    if (group === "" && kind === "Secret") {
      const kept = this.#onlyOpen(value, path);
      if (kept === undefined) omitted[name] = JSON.stringify(value).length;
      return kept;
    }
    const isText =
      !builtInGroups.has(group) ||
      (kind === "ConfigMap" && (name === "data" || name === "binaryData")) ||
      (kind === "Event" && (name === "message" || name === "note"));
    return this.#walk(value, path, isText);
  }

  /** Returns what is included of a value of a Secret. */
  #onlyOpen(value: unknown, path: readonly string[]): unknown {
    if (this.#isOpen(path)) return value;
    if (!isRecord(value)) return undefined;
    const kept = Object.entries(value).flatMap(([name, member]) => {
      const open = this.#onlyOpen(member, [...path, name]);
      return open === undefined ? [] : [[name, open]];
    });
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  }

  /** Copies a value. With `isText`, strings are replaced by their length. */
  #walk(value: unknown, path: readonly string[], isText: boolean): unknown {
    if (typeof value === "string") return this.#string(value, path, isText);
    if (Array.isArray(value)) return value.map((one) => this.#walk(one, path, isText));
    if (!isRecord(value)) return value;
    const parent = path.at(-1);
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const isSecret =
          isText ||
          (parent === "env" && name === "value") ||
          (parent === "annotations" && name.includes("last-applied")) ||
          (parent === "terminated" && name === "message");
        return [name, this.#walk(member, [...path, name], isSecret)];
      }),
    );
  }

  #string(text: string, path: readonly string[], isText: boolean): string {
    const name = path.at(-1) ?? "";
    if (isText && !this.#isOpen(path)) {
      const length = `<${text.length} characters>`;
      // Values there are base64.
      return path[0] === "binaryData" ? btoa(length) : length;
    }
    if (this.#hashes === undefined) return text;
    return this.#withoutNames(this.#hashes, text, name, path);
  }

  #withoutNames(hashes: NameReplacer, text: string, name: string, path: readonly string[]): string {
    const parent = path.at(-2) ?? "";
    if (names.has(name) || isLabels(parent) || name === "values") return hashes.replace(text);
    if (neverNames.has(name) || isWordOfApi(text)) return text;
    return /\s/.test(text) ? `<${text.length} characters>` : hashes.replace(text);
  }

  #isOpen(path: readonly string[]): boolean {
    return this.#includes.some((open) =>
      open.every((name, index) => name === "*" || name === path[index]),
    );
  }
}

function isLabels(parent: string): boolean {
  return ["labels", "matchLabels", "nodeSelector", "selector"].includes(parent);
}

/** Whether the string is an enumeration, a time, a number, a quantity or an address. */
function isWordOfApi(text: string): boolean {
  return (
    /^[A-Z][A-Za-z0-9]*$/.test(text) ||
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ||
    /^[\d.,:/%+-]*\d(?:[mkMGTPEunh]i?|e\d+)?$/.test(text) ||
    text === ""
  );
}
