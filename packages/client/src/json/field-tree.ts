import { isRecord } from "@listwatch/core-fifo/base";
import { namesOfFields, type FieldPath } from "../resource/projected.ts";
import { startOf } from "./dropped-fields.ts";

/** Slots of the type among the members to keep. */
export const kindSlot = 0;
export const apiVersionSlot = 1;

/** Members that are always kept: type and identity of an object. The type has the first slots. */
const identity: readonly (readonly string[])[] = [
  ["kind"],
  ["apiVersion"],
  ["metadata", "name"],
  ["metadata", "namespace"],
  ["metadata", "uid"],
  ["metadata", "resourceVersion"],
];

const encoder = new TextEncoder();

/** A member to keep, either completely or only some of its members. */
export interface WantedField {
  readonly name: string;
  /** Its name in the text. */
  readonly bytes: Uint8Array;
  /** Its name with quotes and colon. */
  readonly key: Uint8Array;
  /** Index of this member among all members of the tree. */
  readonly slot: number;
  /** Members of its value to keep; `undefined` for all. */
  readonly fields: readonly WantedField[] | undefined;
}

const projectedStart = startOf("projected");

/** The members to keep of each object: its identity and the requested ones. */
export class FieldTree {
  /** In the order in which objects have them. */
  readonly fields: readonly WantedField[];
  /** Number of members in the tree. */
  readonly slots: number;
  /** Maximum number of bytes in a copy that do not belong to values. */
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
        // A comma and two braces or quotes, in addition to the key.
        keysLength += key.length + 3;
        // A path that is the prefix of another one requests all of it.
        const isWhole = rests.some((rest) => rest.length === 0);
        return { name, bytes, key, slot, fields: isWhole ? undefined : fieldsOf(rests) };
      });
    };
    const fields = fieldsOf([...identity, ...wanted]);
    const isStart = ({ name }: WantedField): boolean => projectedStart.includes(name);
    this.fields = [
      ...projectedStart.flatMap((name) => fields.filter((field) => field.name === name)),
      ...fields.filter((field) => !isStart(field)),
    ];
    this.slots = slots;
    this.keysLength = keysLength;
    this.depth = Math.max(2, ...wanted.map((path) => path.length));
  }

  /**
   * Keeps the wanted members of a parsed object. A value on a path that is not an object is
   * dropped; one without the requested members becomes empty.
   */
  pick(object: object): object {
    return pickFields(object, this.fields);
  }
}

/** Keeps the wanted fields of a parsed value; see {@link FieldTree.pick}. */
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
