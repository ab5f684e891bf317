import { lazyMembers } from "@listwatch/core-fifo/base";
import { identityOf } from "./object-reader.ts";

/** States of objects that are remembered. */
const maxStates = 10_000;

/** States of objects that lack fields which the server has sent. */
const states = new Set<string>();
/** Number of such objects for each kind, `apps/v1/Deployment`. */
const counts = new Map<string, number>();
/** Whether states were forgotten, so that an object of one of these kinds may lack fields. */
let isFull = false;

/**
 * Number of objects, for each kind such as `apps/v1/Deployment`, that lack fields which the server
 * has sent, because this version of listwatch does not know them. JSON has no such fields; protobuf
 * has them when the server is newer. What is read lazily is counted when it is read.
 */
export function countDroppedFields(): ReadonlyMap<string, number> {
  return new Map(counts);
}

/**
 * Remembers that an object in this state lacks fields.
 *
 * @returns whether it is the first one of its kind
 */
export function noteDroppedFields(kind: string, metadata: object): boolean {
  const state = stateOf({ metadata });
  if (state !== undefined) {
    if (states.has(state)) return false;
    if (states.size < maxStates) states.add(state);
    else isFull = true;
  }
  const count = counts.get(kind) ?? 0;
  counts.set(kind, count + 1);
  return count === 0;
}

/** Whether an object that is to replace the server's may lack fields that the server has. */
export function hasDroppedFields(object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): boolean {
  // Members that are read only now may lack fields, too.
  if (Object.hasOwn(object, lazyMembers)) for (const name in object) Reflect.get(object, name);
  if (counts.size === 0) return false;
  const state = stateOf(object);
  if (state !== undefined && states.has(state)) return true;
  return isFull && counts.has(`${String(object.apiVersion)}/${String(object.kind)}`);
}

function stateOf(object: object): string | undefined {
  const identity = identityOf(object);
  return identity && `${identity.uid}/${identity.resourceVersion}`;
}
