import { recordOf } from "@listwatch/core-fifo/base";
import type { ReuseFunction } from "../json/decoder.ts";
import { noteDroppedFields } from "../json/dropped-fields.ts";
import type { LazyFaults } from "../json/lazy-faults.ts";
import { holdLazyMembers, type LazyReads } from "../json/lazy-object.ts";
import { identityOf } from "../json/object-reader.ts";
import { keepBytes, type KeptBytes } from "../wire/byte-text.ts";
import type { TypeMeta } from "../wire/envelope.ts";
import type { WireReader } from "../wire/wire-reader.ts";
import type { FieldTree } from "../json/field-tree.ts";
import type { FieldTable, MessageField, MessageType } from "./field-table.ts";
import { keptFields, readKept, type KeptMessage } from "./kept-fields.ts";
import { MemberReads } from "./member-reads.ts";
import { readFields, readMessage, skipUnknown, type Members } from "./message-reader.ts";
import { removeManagedFields } from "../json/parse.ts";
import { readMetadata, type FieldRun, type ReadMetadata } from "./metadata-reader.ts";

/** Options for all objects of a collection. */
export interface ObjectReaderOptions {
  readonly table: FieldTable;
  readonly faults: LazyFaults;
  readonly stripManagedFields: boolean;
  /** Fields to keep of each object. @default all */
  readonly kept: FieldTree | undefined;
  /** Number of bytes from which a message, list or map is lazy. */
  readonly lazyLength: number;
  /** Called when an object of a kind lacks fields for the first time. */
  readonly onDroppedFields: ((kind: string) => void) | undefined;
}

/** Message and kept fields of a kind. */
export interface ObjectType extends Readonly<TypeMeta> {
  readonly message: MessageType;
  readonly metadata: MessageType | undefined;
  /** Fields to keep; `undefined` for all. */
  readonly kept: KeptMessage | undefined;
  readonly reads: LazyReads;
  readonly metadataReads: LazyReads | undefined;
}

/** An unread member of an object: its fields, which are contiguous. */
interface Member {
  readonly field: MessageField;
  readonly start: number;
  end: number;
}

/** Tag of field 1 of all objects. */
const metadataTag = 0x0a;
const closers: readonly (number | undefined)[] = [0x7d, 0x5d];

/**
 * Reads objects: metadata at once, other members on first access. Each member has a length, so
 * unused ones are skipped without reading them.
 *
 * ```
 *   bytes    1: metadata │ 2: spec │ 3: status
 *   object   { metadata: {...}, kind, apiVersion, get spec(), get status(), [hidden]: ["...", …] }
 * ```
 */
export class ProtobufObjectReader {
  readonly #options: ObjectReaderOptions;
  readonly #types = new Map<string, ObjectType>();
  readonly #managedFields: FieldRun = { start: 0, end: 0 };

  constructor(options: ObjectReaderOptions) {
    this.#options = options;
  }

  /** Returns the type for objects of a kind; `undefined` if the kind is unknown. */
  typeOf({ apiVersion, kind }: Readonly<TypeMeta>): ObjectType | undefined {
    const name = `${apiVersion}/${kind}`;
    const known = this.#types.get(name);
    if (known !== undefined) return known;
    const { table, faults, kept: tree } = this.#options;
    const message = table.messageOf({ apiVersion, kind });
    if (message === undefined) return undefined;
    const field = message.byTag[metadataTag];
    const metadata = field?.name === "metadata" ? field.message : undefined;
    const note = (owner: object): void => this.#noteDropped(name, owner);
    const reads = new MemberReads(message, faults, note);
    const metadataReads = metadata && new MemberReads(metadata, faults, note);
    const kept = tree && keptFields(message, tree.fields);
    const type = { apiVersion, kind, message, metadata, kept, reads, metadataReads };
    this.#types.set(name, type);
    return type;
  }

  /**
   * Reads the object from the reader's position to `end`, or the fields to keep of it.
   *
   * @param reuse returns the held object of the same state, which is then the result
   * @throws {WireError} if metadata, the outer message or a kept field is malformed
   */
  read<T>(
    reader: WireReader,
    type: ObjectType,
    end: number,
    reuse: ReuseFunction<T> | undefined,
  ): T {
    if (type.kept === undefined) return this.readAll(reader, type, end, reuse);
    // In the order that marks projected objects.
    const object: Members = { metadata: {}, apiVersion: type.apiVersion, kind: type.kind };
    readKept(reader, type.kept, object, end);
    if (this.#options.stripManagedFields) removeManagedFields(object);
    const identity = reuse && identityOf(object);
    // The kept part of a `T` has the type that the program requested.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (identity && reuse?.(identity)) ?? (object as T);
  }

  /** Reads all of an object, including fields that are not kept. */
  readAll<T>(
    reader: WireReader,
    type: ObjectType,
    end: number,
    reuse: ReuseFunction<T> | undefined,
  ): T {
    const { position: start, unknownFields } = reader;
    const { kind, apiVersion } = type;
    const object: Members = {};
    const members: Member[] = [];
    let metadata: ReadMetadata | undefined;
    let isUsual = true;
    while (isUsual && reader.position < end) {
      const from = reader.position;
      const tag = reader.varint();
      if (tag === metadataTag && type.metadata !== undefined) {
        isUsual = metadata === undefined;
        if (!isUsual) break;
        metadata = readMetadata(reader, reader.delimitedEnd(end), this.#managedFields);
        if (metadata === undefined) isUsual = false;
        else {
          const held = reuse && this.#held(metadata, reuse);
          if (held !== undefined) return held;
          object["metadata"] = metadata;
          this.#addManagedFields(reader, type, metadata);
        }
      } else isUsual = addMember(reader, type.message, members, { tag, from, end });
    }
    if (isUsual) {
      reader.finish(end);
      // After metadata, which marks objects from protobuf.
      object["kind"] = kind;
      object["apiVersion"] = apiVersion;
      this.#addMembers(reader, type, object, members);
    } else this.#readWhole(reader, type, object, { start, end });
    // Lazy members are counted when they are read.
    if (reader.unknownFields > unknownFields) this.#noteDropped(nameOf(type), object["metadata"]);
    // A member has the server's type when it is read, as in JSON.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T;
  }

  #held<T>(metadata: ReadMetadata, reuse: ReuseFunction<T>): T | undefined {
    const identity = identityOf({ metadata });
    if (identity === undefined) return undefined;
    const held = reuse(identity);
    return this.#options.faults.hasFailed(identity) ? undefined : held;
  }

  #addManagedFields(reader: WireReader, type: ObjectType, metadata: ReadMetadata): void {
    const { start, end } = this.#managedFields;
    if (start === end || this.#options.stripManagedFields) return;
    if (type.metadataReads === undefined) return;
    holdLazyMembers(metadata, [type.metadataReads, keepBytes(reader.bytes, start, end)]);
    const { accessors } = type.metadataReads;
    Object.defineProperty(metadata, "managedFields", accessors.at("managedFields", 1));
  }

  #addMembers(
    reader: WireReader,
    { message, reads }: ObjectType,
    object: Members,
    members: readonly Member[],
  ): void {
    const kept: KeptBytes[] = [];
    const { habits } = reads;
    const isSample = habits.isSample();
    for (const { field, start, end } of members) {
      const isLazy = isSample || !habits.isRead(field.name);
      if (isLazy && this.#mayBeLazy(reader, field, start, end)) {
        habits.countLazy(field.name);
        kept.push(keepBytes(reader.bytes, start, end));
        Object.defineProperty(object, field.name, reads.accessors.at(field.name, kept.length));
      } else {
        reader.position = start;
        readFields(reader, message, object, end);
      }
    }
    if (kept.length > 0) holdLazyMembers(object, [reads, ...kept]);
    for (const field of message.required) {
      if (!(field.name in object)) object[field.name] = field.absent;
    }
  }

  #mayBeLazy({ bytes }: WireReader, field: MessageField, start: number, end: number): boolean {
    if (end - start < this.#options.lazyLength || field.isInline) return false;
    if (field.isMap || field.isRepeated || field.form === "m") return true;
    // Other JSON values could not be told from unread ones.
    return field.form === "r" && closers.includes(bytes[end - 1]);
  }

  /** Reads an object whose fields are in an unusual order. */
  #readWhole(
    reader: WireReader,
    { message, kind, apiVersion }: ObjectType,
    object: Members,
    { start, end }: { readonly start: number; readonly end: number },
  ): void {
    const whole: Members = {};
    reader.position = start;
    reader.prepareTexts(end);
    readMessage(reader, message, whole, end);
    const { metadata } = whole;
    if (metadata !== undefined) object["metadata"] = metadata;
    Object.assign(object, { kind, apiVersion }, whole);
    if (this.#options.stripManagedFields && typeof metadata === "object" && metadata !== null) {
      Reflect.deleteProperty(metadata, "managedFields");
    }
  }

  #noteDropped(kind: string, metadata: unknown): void {
    const isFirst = noteDroppedFields(kind, recordOf(metadata));
    if (isFirst) this.#options.onDroppedFields?.(kind);
  }
}

function nameOf({ apiVersion, kind }: ObjectType): string {
  return `${apiVersion}/${kind}`;
}

/** Position of a field whose tag was read. */
interface FieldPlace {
  readonly tag: number;
  /** Position of the tag. */
  readonly from: number;
  /** End of the message. */
  readonly end: number;
}

/** Records a field. Returns false if it is separate from others of the same member. */
function addMember(
  reader: WireReader,
  message: MessageType,
  members: Member[],
  { tag, from, end }: FieldPlace,
): boolean {
  const field = message.byTag[tag];
  if (field === undefined) {
    skipUnknown(reader, message, tag, end);
    return true;
  }
  reader.skip(tag, end);
  const last = members.at(-1);
  if (last?.field === field && last.end === from) last.end = reader.position;
  else if (members.some((member) => member.field === field)) return false;
  else members.push({ field, start: from, end: reader.position });
  return true;
}
