import type { ResourceReference } from "@listwatch/client";
import type { Log } from "@listwatch/core-fifo";
import { guardLog, isDevelopment } from "@listwatch/core-fifo/base";
import type { HttpListerWatcherOptions } from "@listwatch/reflector";

/** Part and form of a resource. With the resource, it identifies an informer of a factory. */
export type InformerScope = Pick<
  HttpListerWatcherOptions,
  "fields" | "fieldSelector" | "labelSelector" | "metadataOnly" | "namespace" | "shardSelector"
>;

/** Identity of an informer in its factory. */
export interface InformerIdentity extends InformerScope {
  /** Name of the informer, unique in the factory. */
  readonly name: string;
  /** Resource of the informer. Its kind is not part of the identity. */
  readonly resource: Pick<ResourceReference, "group" | "resource" | "version">;
}

/**
 * Builds the name of an informer, such as `apps/v1/deployments?namespace=shop`. Different scopes
 * have different names, because separators in their parts are escaped.
 */
export function informerName(
  { group, resource, version }: InformerIdentity["resource"],
  scope: InformerScope,
): string {
  const { fields, fieldSelector, labelSelector, metadataOnly, namespace, shardSelector } = scope;
  const parts = Object.entries({ namespace, labelSelector, fieldSelector, shardSelector })
    .filter(([, value]) => value !== undefined && value !== "")
    .map(([name, value = ""]) => `${name}=${value.replaceAll(/[%&]/g, encodeURIComponent)}`);
  if (metadataOnly === true) parts.push("metadataOnly");
  // In JSON, because the names in a path can contain any character.
  if (fields !== undefined) parts.push(`fields=${JSON.stringify(fields)}`);
  const path = group === "" ? `${version}/${resource}` : `${group}/${version}/${resource}`;
  return parts.length === 0 ? path : `${path}?${parts.join("&")}`;
}

/** Options of one informer by name. Groups are objects. */
type Options = Readonly<Record<string, unknown>>;

/** A shared informer, as far as its options are compared. */
interface Shared {
  readonly name: string;
  readonly store: { getIndexers(): object };
}

/** Defaults of options that are often written out. Others are compared with what was given. */
const defaults: Options = {
  lazy: true,
  managedFields: true,
  resyncMs: 0,
  "cache.freeze": isDevelopment(),
};

const groups = ["cache", "list", "retry", "watch"];
const names = ["encoding", "lazy", "managedFields", "onError", "resyncMs", ...groups];

/**
 * Options that informers of a factory were created with. Those of later requests cannot count: a
 * difference is logged, once for each informer and option. Requests without an option agree.
 */
export class SharedOptions {
  readonly #inUse = new WeakMap<object, ReadonlyMap<string, unknown>>();
  readonly #warned = new WeakMap<object, Set<string>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = guardLog(log);
  }

  /** Stores the options of a new informer. */
  set(informer: Shared, options: object): void {
    this.#inUse.set(informer, flatten(options));
  }

  /** Logs the options and index functions of a later request that differ from those in use. */
  compare(informer: Shared, options: object, indexers: object): void {
    const inUse = this.#inUse.get(informer);
    for (const [option, value] of flatten(options)) {
      this.#check(informer, option, inUse?.get(option) ?? defaults[option], value);
    }
    const functions: Options = { ...informer.store.getIndexers() };
    for (const [name, value] of Object.entries(indexers)) {
      if (Object.hasOwn(functions, name)) {
        this.#check(informer, `indexers.${name}`, functions[name], value);
      }
    }
  }

  #check(informer: Shared, option: string, inUse: unknown, ignored: unknown): void {
    if (Object.is(inUse, ignored)) return;
    const warned = this.#warned.get(informer) ?? new Set();
    if (warned.has(option)) return;
    this.#warned.set(informer, warned.add(option));
    this.#log.warn("Option of a shared informer is ignored", {
      informer: informer.name,
      option,
      inUse: describe(inUse),
      ignored: describe(ignored),
      advice:
        "The first request decides: pass the same value with each one, name the index " +
        "differently, or create a separate SharedInformer",
    });
  }
}

/** Returns the given options that do not identify an informer, by path such as `cache.keep`. */
function flatten(options: object): ReadonlyMap<string, unknown> {
  const given: Options = { ...options };
  const flat = new Map<string, unknown>();
  for (const name of names) {
    const parts = groups.includes(name) ? partsOf(given[name]) : [["", given[name]] as const];
    for (const [part, value] of parts) {
      if (value !== undefined) flat.set(part === "" ? name : `${name}.${part}`, value);
    }
  }
  return flat;
}

function partsOf(group: unknown): readonly (readonly [part: string, value: unknown])[] {
  return typeof group === "object" && group !== null ? Object.entries<unknown>({ ...group }) : [];
}

function describe(value: unknown): unknown {
  if (value === undefined) return "the default";
  if (typeof value !== "function") return value;
  return value.name === "" ? "an unnamed function" : `the function ${value.name}`;
}
