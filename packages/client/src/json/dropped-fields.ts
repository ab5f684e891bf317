import { lazyMembers } from "@listwatch/core-fifo/base";
import { identityOf } from "./object-reader.ts";

/** Forms of objects that may lack fields of the server. */
export type IncompleteForm = "projected" | "protobuf";

/**
 * First members of objects in a form, in this order, which no server uses. The order is a mark that
 * costs neither memory nor time, and that spread, structuredClone and JSON copy.
 */
const starts: Readonly<Record<IncompleteForm, readonly string[]>> = {
  projected: ["metadata", "apiVersion", "kind"],
  protobuf: ["metadata", "kind", "apiVersion"],
};

/** Returns the first members of objects in a form. */
export function startOf(form: IncompleteForm): readonly string[] {
  return starts[form];
}

/** Versions of API groups, such as `apps/v1`, of which objects were requested with `fields`. */
const projectedVersions = new Set<string>();

/** Remembers that objects of an API group's version are read with some fields only. */
export function noteProjected(apiVersion: string): void {
  projectedVersions.add(apiVersion);
}

/** Maximum number of remembered object states. */
const maxStates = 10_000;

/** States of objects without some of the fields that the server sent. */
const states = new Set<string>();
/** Number of such objects for each kind, such as `apps/v1/Deployment`. */
const counts = new Map<string, number>();
/** Whether states were forgotten, so that any object of these kinds may lack fields. */
let isFull = false;

/**
 * Returns the number of objects, by kind such as `apps/v1/Deployment`, that lack fields of the
 * server because this version of listwatch does not know them. JSON never drops fields; protobuf
 * does if the server is newer. Lazy members are counted when they are read.
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

/**
 * Describes an object that would replace the server's and may lack some of its fields; `undefined`
 * if it lacks none.
 */
export function describeIncomplete(object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): string | undefined {
  if (object.kind === "PartialObjectMetadata") return "one that has only metadata (metadataOnly)";
  // Elsewhere the order is that of a server or a program, by chance.
  if (projectedVersions.has(String(object.apiVersion)) && isIn("projected", object))
    return "one that was read with `fields` and lacks the others";
  if (!isIn("protobuf", object) || !hasDroppedFields(object)) return undefined;
  return "one that was read as protobuf and lacks some that this version does not know";
}

/** Whether an object, or the one that it is a copy of, was read from a server in this form. */
function isIn(form: IncompleteForm, object: object): boolean {
  const start = starts[form];
  const names = Object.keys(object).slice(0, start.length);
  return names.join() === start.join() && identityOf(object) !== undefined;
}

function hasDroppedFields(object: {
  readonly apiVersion?: unknown;
  readonly kind?: unknown;
}): boolean {
  // Members that are first read here may lack fields too.
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
