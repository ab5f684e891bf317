import type { LazyTextError } from "../errors/decode-errors.ts";
import type { LazyFaults } from "../json/lazy-faults.ts";
import type { LazyAccessors, LazyReads } from "../json/lazy-object.ts";
import type { ReadHabits } from "../json/read-habits.ts";
import { openBytes, type KeptBytes } from "../wire/byte-text.ts";
import { WireError, WireReader } from "../wire/wire-reader.ts";
import type { MessageType } from "./field-table.ts";
import { readFields, type Members } from "./message-reader.ts";

/** Called with the metadata of an object with dropped fields. */
export type DroppedFieldsHook = (metadata: object) => void;

// Shared, because reads of members do not nest.
const reader = new WireReader();

/** Reads members of objects of one kind on first access. */
export class MemberReads implements LazyReads {
  readonly accessors: LazyAccessors;
  readonly habits: ReadHabits;
  readonly #type: MessageType;
  readonly #faults: LazyFaults;
  readonly #onDroppedFields: DroppedFieldsHook;

  /** @param type message that the members are fields of */
  constructor(type: MessageType, faults: LazyFaults, onDroppedFields: DroppedFieldsHook) {
    this.accessors = faults.accessors;
    this.habits = faults.habits;
    this.#type = type;
    this.#faults = faults;
    this.#onDroppedFields = onDroppedFields;
  }

  parse(kept: KeptBytes, name: string, metadata: object): unknown {
    const object: Members = {};
    const unknownBefore = reader.unknownFields;
    reader.open(openBytes(kept), 0);
    reader.prepareTexts(kept.length);
    readFields(reader, this.#type, object, kept.length);
    if (reader.unknownFields > unknownBefore) this.#onDroppedFields(metadata);
    return object[name];
  }

  expectedIn(error: unknown): string | undefined {
    if (!(error instanceof WireError)) return undefined;
    return `protobuf: ${error.expected} at byte ${error.position}`;
  }

  failed(error: LazyTextError, metadata: object): void {
    this.#faults.failed(error, metadata);
  }
}
