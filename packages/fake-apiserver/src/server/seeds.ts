import { describeError, InvalidOptionsError } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { CreatedCore } from "./create-core.ts";
import { prepareSeed, seedObject, storeSeed } from "./seed-objects.ts";

/** An object that exists from the start. */
export interface Seed {
  /** Where it was given: `objects[3]`. */
  readonly place: string;
  readonly object: ApiObject;
}

/**
 * Stores the objects, in their order, and then the namespaces that they need and that do not exist.
 * Objects whose owners do not exist stay until their owner references change.
 *
 * @returns the parts that have no effect, each with the place of its object
 * @throws {@link InvalidOptionsError} for the first that a server would refuse, and for one that is
 *   there twice
 */
export function storeSeeds({ core }: CreatedCore, seeds: readonly Seed[]): readonly string[] {
  core.storage.isLoading = true;
  try {
    return storeAll(core, seeds);
  } finally {
    core.storage.isLoading = false;
  }
}

function storeAll(core: ServerCore, seeds: readonly Seed[]): readonly string[] {
  const places = new Map<string, string>();
  const namespaces = new Set<string>();
  const unevaluated: string[] = [];
  for (const { place, object } of seeds) {
    const seed = atPlace(place, () => prepareSeed(core, object));
    const { key, kind, storage } = seed;
    const id = `${storage} ${key}`;
    const first = places.get(id);
    if (first !== undefined) {
      throw refusal(place, `${kind} ${key} is there twice, first as ${first}`);
    }
    places.set(id, place);
    atPlace(place, () => storeSeed(seed));
    for (const part of seed.unevaluated) unevaluated.push(`${place}: ${part}`);
    const { namespace } = seed.object.metadata;
    if (namespace !== undefined) namespaces.add(namespace);
  }
  if (core.settings.namespaces === "strict") addMissing(core, namespaces);
  return unevaluated;
}

/** After the seeds: a namespace may be one of them, behind what is in it. */
function addMissing(core: ServerCore, names: Iterable<string>): void {
  const store = core.storage.store("namespaces");
  for (const name of names) {
    if (store.get(name) !== undefined) continue;
    seedObject(core, { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  }
}

function atPlace<T>(place: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refusal(place, describeError(error), error);
  }
}

function refusal(place: string, reason: string, cause?: unknown): InvalidOptionsError {
  const options = cause === undefined ? {} : { cause };
  return new InvalidOptionsError(`Cannot use the option ${place}: ${reason}`, place, options);
}
