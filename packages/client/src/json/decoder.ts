import type { FieldPath } from "../resource/projected.ts";
import type { ListMeta, WatchEvent } from "../resource/list-watch.ts";

/** Identifies one state of an object; read from its text without parsing the rest. */
export interface ObjectIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * Called with each state that a list names. Returns the object that is already held for exactly
 * this state, so that it is not parsed again; `undefined` if there is none.
 */
export type ReuseFunction<T> = (identity: ObjectIdentity) => T | undefined;

/** Options of {@link Decoder.watch}. */
export interface WatchDecoderOptions<T> {
  /** Called with each ADDED event before the first bookmark: the objects of a streamed list. */
  readonly reuse?: ReuseFunction<T> | undefined;
  /** The Content-Type of the answer, when it has one. @default the first accepted type */
  readonly contentType?: string | undefined;
}

/** Options of {@link Decoder.list}. */
export interface ListDecoderOptions<T> {
  readonly reuse?: ReuseFunction<T> | undefined;
  /** The Content-Type of the answer, when it has one. @default the first accepted type */
  readonly contentType?: string | undefined;
}

/** What holds for the objects of a decoder, whatever their form and encoding. */
export interface DecoderSettings {
  /** Whether `.metadata.managedFields` is left out. */
  readonly stripManagedFields: boolean;
  /** Largest size of one object on the wire, in bytes. */
  readonly maxObjectBytes: number;
}

/**
 * Decodes the bytes of one list into objects, in pieces that may be cut anywhere. `apiVersion`,
 * `kind` and `metadata` are complete after `end`.
 */
export interface ListDecoder<T> {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
  /**
   * Appends the objects that are complete now. If it throws, those before the fault are in `into`.
   *
   * @throws {DecodeError} if the bytes are not JSON
   * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if they are not a list
   */
  write(chunk: Uint8Array, into: T[]): void;
  /**
   * Appends the objects that were incomplete until now.
   *
   * @throws {NetworkError} of kind `unexpected-eof` if the list is cut short
   */
  end(into: T[]): void;
}

/** Decodes the bytes of one watch into events, in pieces that may be cut anywhere. */
export interface WatchDecoder<T> {
  /**
   * Appends the events that are complete now. If it throws, those before the fault are in `into`.
   *
   * @throws {DecodeError} if a line is not an event
   */
  write(chunk: Uint8Array, into: WatchEvent<T>[]): void;
  /** Appends a last event that is complete; drops one that is cut short. */
  end(into: WatchEvent<T>[]): void;
}

/** What is made of each object, other than a plain object with all that the server has sent. */
export interface ObjectForm {
  /** The members that are kept, besides the identity; all others are skipped in the text. */
  readonly fields?: readonly FieldPath[] | undefined;
  /** Whether large members are parsed when they are first read. */
  readonly lazy?: boolean | undefined;
}

/** What a decoder may choose the media types by. */
export interface AskedCollection {
  /** Such as `apps/v1`. */
  readonly apiVersion: string;
  /** Plural name, as in the URL. */
  readonly resource: string;
  /** Whether only the metadata of objects are asked for. */
  readonly metadataOnly: boolean;
}

/** A representation of objects on the wire. Stateless: each request uses new decoders. */
export interface Decoder {
  /** Media type of the representation, for the Accept header. */
  readonly mediaType: string;
  /** Media types to ask for, the best first, where that depends on what is asked for. */
  readonly acceptedTypes?: ((collection: AskedCollection) => readonly string[]) | undefined;
  list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
  watch<T>(options?: WatchDecoderOptions<T>): WatchDecoder<T>;
  /**
   * Loads what decodes the same representation to another form of objects. A decoder without this
   * function has only one form.
   */
  readonly inForm?: ((form: ObjectForm) => Promise<Decoder>) | undefined;
  /**
   * What decoders of other encodings keep to. Objects of a decoder without it have its own encoding
   * alone.
   */
  readonly settings?: DecoderSettings | undefined;
}
