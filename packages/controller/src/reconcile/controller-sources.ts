import { isRecord, metadataOf, stringOf } from "@listwatch/core-fifo/base";
import { groupOf } from "../writes/owner.ts";
import type { SourceResource, VersionSource } from "./controller-source.ts";
import { createStateError } from "./errors.ts";
import type { AwaitedSource } from "./wait-for-sources.ts";

/** The members of a source, or of another informer, that identify its objects. */
interface Source extends VersionSource, AwaitedSource {
  readonly resource?: SourceResource | undefined;
  readonly store?: { list(): readonly unknown[] } | undefined;
}

interface Type {
  readonly group: string;
  readonly kind: string;
}

/** The sources of a controller. Finds the one whose cache will contain a written object. */
export class ControllerSources {
  readonly #controller: string;
  readonly #sources: Source[] = [];
  /** Types of sources whose resource has no kind, as found in their caches. */
  readonly #types = new Map<VersionSource, Type>();
  #primary: Source | undefined;

  /** @param controller name of the controller, for errors */
  constructor(controller: string) {
    this.#controller = controller;
  }

  get all(): readonly Source[] {
    return this.#sources;
  }

  /** @param isPrimary whether its objects are the reconciled ones */
  add(source: Source, isPrimary: boolean): void {
    if (isPrimary) this.#primary ??= source;
    this.#sources.push(source);
  }

  /**
   * Finds the source whose cache will contain an object, by the object's resource. An object
   * without a kind counts as one of the reconciled objects.
   *
   * @param chosen the informer that the caller names, which may be another than the sources
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` if there is none, or if several
   *   may be
   */
  sourceOf(object: unknown, chosen: Source | undefined): VersionSource {
    const type = typeOf(object);
    if (chosen !== undefined) {
      if (type !== undefined && this.#has(chosen, type) === "no") {
        throw createStateError(
          `Cannot record the write of ${describe(object, type)}: ` +
            `expected an informer of such objects, got ${nameOf(chosen)}`,
        );
      }
      return chosen;
    }
    const source = type === undefined ? this.#primary : this.#find(type);
    if (source !== undefined) return source;
    const names = this.#sources.map(nameOf).join(", ");
    throw createStateError(
      `Cannot record the write of ${describe(object, type)}: expected an object of one of the ` +
        `sources of ${this.#controller} (${names === "" ? "none" : names}), ` +
        "or the informer of its resource as second argument",
    );
  }

  #find(type: Type): Source | undefined {
    const primary = this.#primary;
    if (primary !== undefined && this.#has(primary, type) === "yes") return primary;
    const sure = this.#sources.find((source) => this.#has(source, type) === "yes");
    if (sure !== undefined) return sure;
    const possible = this.#sources.filter((source) => this.#has(source, type) === "maybe");
    return possible.length === 1 ? possible[0] : undefined;
  }

  /** Whether a source has objects of a type. */
  #has(source: Source, { group, kind }: Type): "yes" | "no" | "maybe" {
    const known = this.#typeIn(source);
    if (known !== undefined) return known.group === group && known.kind === kind ? "yes" : "no";
    const { resource } = source;
    if (resource === undefined) return "maybe";
    if ((resource.group ?? "") !== group) return "no";
    return guessPlural(kind) === resource.resource ? "yes" : "maybe";
  }

  #typeIn(source: Source): Type | undefined {
    const { resource, store } = source;
    if (resource?.kind !== undefined) return { group: resource.group ?? "", kind: resource.kind };
    const known = this.#types.get(source) ?? typeOf(store?.list()[0]);
    if (known !== undefined) this.#types.set(source, known);
    return known;
  }
}

/** Guesses the plural of a kind (apimachinery `UnsafeGuessKindToResource`, api/meta/restmapper.go). */
function guessPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith("endpoints")) return singular;
  if (singular.endsWith("s")) return `${singular}es`;
  return singular.endsWith("y") ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function typeOf(object: unknown): Type | undefined {
  if (!isRecord(object)) return undefined;
  const kind = stringOf(object["kind"]);
  if (kind === "") return undefined;
  return { group: groupOf(stringOf(object["apiVersion"])), kind };
}

function nameOf({ name, resource }: Source): string {
  return name ?? resource?.resource ?? "an informer without a name";
}

function describe(object: unknown, type: Type | undefined): string {
  const { name = "", namespace = "" } = metadataOf(object) ?? {};
  return `${type?.kind ?? "an object"} ${namespace === "" ? name : `${namespace}/${name}`}`;
}
