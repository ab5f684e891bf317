import { type FieldSet, fieldSetOf } from "./field-set.ts";
import { ManagedEntries, type ManagedEntry } from "./managed-fields.ts";

const replicasOfScale = fieldSetOf(["spec", "replicas"]);

/** An object whose replicas a Scale shows. */
export interface ScaledObject {
  readonly entries: ManagedEntries;
  /** Version of new entries. */
  readonly apiVersion: string;
  /** Returns the path of the replicas in a version; `undefined` if it has none. */
  readonly replicasOf: (apiVersion: string) => FieldSet | undefined;
}

/**
 * Converts entries between an object and its Scale, which only shows the owner of the replicas
 * (apimachinery `ScaleHandler`, pkg/util/managedfields/scalehandler.go).
 */
export class ScaleEntries {
  readonly #object: ScaledObject;
  readonly #scaleVersion: string;

  constructor(object: ScaledObject, scaleVersion: string) {
    this.#object = object;
    this.#scaleVersion = scaleVersion;
  }

  /** Returns the entries of the Scale. */
  ofScale(): ManagedEntries {
    const owners = this.#object.entries.except().filter((entry) => this.#ownsReplicas(entry));
    return new ManagedEntries(owners.map((entry) => this.#inScale(entry)));
  }

  /** Returns the object's entries after a change of the Scale's. New ones have no time. */
  afterWrite(scale: ManagedEntries): ManagedEntries {
    const { apiVersion, entries, replicasOf } = this.#object;
    let changed = entries;
    let added = scale;
    for (const entry of entries.except()) {
      const replicas = replicasOf(entry.apiVersion);
      if (replicas === undefined) {
        changed = changed.without(entry);
        continue;
      }
      if (!this.#ownsReplicas(entry)) continue;
      const twin = this.#inScale(entry);
      const stays = owns(scale.get(twin)?.fields, replicasOfScale);
      if (!stays) changed = changed.with({ ...entry, fields: entry.fields.minus(replicas) });
      added = added.without(twin);
    }
    const fields = replicasOf(apiVersion);
    for (const entry of fields === undefined ? [] : added.except()) {
      if (fields === undefined || !owns(entry.fields, replicasOfScale)) continue;
      changed = changed.with({ ...entry, apiVersion, time: undefined, fields });
    }
    return changed;
  }

  #ownsReplicas({ apiVersion, fields }: ManagedEntry): boolean {
    const replicas = this.#object.replicasOf(apiVersion);
    return replicas !== undefined && owns(fields, replicas);
  }

  #inScale(entry: ManagedEntry): ManagedEntry {
    return { ...entry, apiVersion: this.#scaleVersion, fields: replicasOfScale };
  }
}

function owns(fields: FieldSet | undefined, path: FieldSet): boolean {
  return fields?.intersection(path).isEmpty === false;
}
