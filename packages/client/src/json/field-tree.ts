import { isRecord } from "@listwatch/core-fifo/base";
import { namesOfFields, type FieldPath } from "../resource/projected.ts";

/** What is always kept: what an object is, and in which state. Kind and apiVersion are first. */
const identity: readonly (readonly string[])[] = [
  ["kind"],
  ["apiVersion"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "uid"],
  ["metadata", "resourceVersion"],
];

const encoder = new TextEncoder();

/** A member that is kept: as a whole, or some of its own members. */
export interface WantedField {
  readonly name: string;
  /** The name in the text. */
  readonly bytes: Uint8Array;
  /** The name with its quotes and the colon behind it. */
  readonly key: Uint8Array;
  /** Number of this member among all members in the tree. */
  readonly slot: number;
  /** Its own members that are kept; `undefined` for all. */
  readonly fields: readonly WantedField[] | undefined;
}

/** What is kept of each object: its identity and the members that were asked for. */
export class FieldTree {
  readonly fields: readonly WantedField[];
  /** Number of members in the tree. */
  readonly slots: number;
  /** Bytes of a copy that are not bytes of values, at most. */
  readonly keysLength: number;
  /** Number of names in the longest path. */
  readonly depth: number;

  /** @throws {InvalidOptionsError} if it is not an array of paths */
  constructor(paths: readonly FieldPath[]) {
    const wanted = namesOfFields(paths);
    let slots = 0;
    let keysLength = 2;
    const fieldsOf = (all: readonly (readonly string[])[]): WantedField[] => {
      const names = [...new Set(all.map(([name = ""]) => name))];
      return names.map((name) => {
        const ofName = all.filter(([first]) => first === name);
        const rests = ofName.map((path) => path.slice(1));
        const bytes = encoder.encode(name);
        const key = encoder.encode(`${JSON.stringify(name)}:`);
        const slot = slots++;
        // Besides the key, a comma and two braces or quotes.
        keysLength += key.length + 3;
        // A path that another one begins with asks for all of it.
        const isWhole = rests.some((rest) => rest.length === 0);
        return { name, bytes, key, slot, fields: isWhole ? undefined : fieldsOf(rests) };
      });
    };
    this.fields = fieldsOf([...identity, ...wanted]);
    this.slots = slots;
    this.keysLength = keysLength;
    this.depth = Math.max(2, ...wanted.map((path) => path.length));
  }

  /**
   * What is kept of a parsed object. A member on the way that is no object is left out; one that
   * lacks what was asked for is kept empty.
   */
  pick(object: object): object {
    return pickFields(object, this.fields);
  }
}

/** What the fields of a tree keep of a parsed value; see {@link FieldTree.pick}. */
export function pickFields(
  object: object,
  fields: readonly WantedField[],
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const { name, fields: inner } of fields) {
    if (!Object.hasOwn(object, name)) continue;
    const value: unknown = Reflect.get(object, name);
    if (inner === undefined) picked[name] = value;
    else if (isRecord(value)) picked[name] = pickFields(value, inner);
  }
  return picked;
}
