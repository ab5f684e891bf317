import type { FieldPath } from "../resource/projected.ts";
import type { ListMeta, WatchEvent } from "../resource/list-watch.ts";

/** Identifies one state of an object. Read from its text without parsing the rest. */
export interface ObjectIdentity {
  /** Namespace of the object; `""` for cluster-scoped objects. */
  readonly namespace: string;
  /** Name, unique for the resource in the namespace. */
  readonly name: string;
  /** Id that no other object ever has, even under the same name. */
  readonly uid: string;
  /** Version of this state. It changes with each write of the object. */
  readonly resourceVersion: string;
}

/**
 * Called with each object state of a list. Returns the held object of exactly this state, so that
 * it is not parsed again; `undefined` if there is none.
 */
export type ReuseFunction<T> = (identity: ObjectIdentity) => T | undefined;

/** Options of {@link Decoder.watch}. */
export interface WatchDecoderOptions<T> {
  /**
   * Called with each ADDED event before the first bookmark, that is, with the objects of a streamed
   * list.
   *
   * @default every object is parsed
   */
  readonly reuse?: ReuseFunction<T> | undefined;
  /** Content-Type of the response, if it has one. @default the first accepted type */
  readonly contentType?: string | undefined;
}

/** Options of {@link Decoder.list}. */
export interface ListDecoderOptions<T> {
  /**
   * Called with each object of the list, so that held objects need not be parsed again.
   *
   * @default every object is parsed
   */
  readonly reuse?: ReuseFunction<T> | undefined;
  /** Content-Type of the response, if it has one. @default the first accepted type */
  readonly contentType?: string | undefined;
}

/** Settings that apply to all forms and encodings of a decoder. */
export interface DecoderSettings {
  /** Whether `.metadata.managedFields` is removed. */
  readonly stripManagedFields: boolean;
  /** Largest size of one object on the wire, in bytes. */
  readonly maxObjectBytes: number;
}

/**
 * Decodes the bytes of one list into objects, from chunks that may end anywhere. `apiVersion`,
 * `kind` and `metadata` are complete after `end`.
 */
export interface ListDecoder<T> {
  /** Such as `v1`; `undefined` before the end, or if the list has none. */
  readonly apiVersion: string | undefined;
  /** Kind of the list, such as `PodList`; `undefined` before the end, or if the list has none. */
  readonly kind: string | undefined;
  /** resourceVersion and token of the list; `undefined` before the end, or if the list has none. */
  readonly metadata: ListMeta | undefined;
  /**
   * Appends the objects that are complete. If it throws, `into` contains those before the fault.
   *
   * @throws {DecodeError} if the bytes are not JSON
   * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if they are not a list
   */
  write(chunk: Uint8Array, into: T[]): void;
  /**
   * Appends the remaining objects.
   *
   * @param into array that the objects are appended to
   * @throws {NetworkError} of kind `unexpected-eof` if the list is cut short
   */
  end(into: T[]): void;
}

/** Decodes the bytes of one watch into events, from chunks that may end anywhere. */
export interface WatchDecoder<T> {
  /**
   * Appends the events that are complete. If it throws, `into` contains those before the fault.
   *
   * @throws {DecodeError} if a line is not an event
   */
  write(chunk: Uint8Array, into: WatchEvent<T>[]): void;
  /**
   * Appends a complete last event. Drops one that is cut short.
   *
   * @param into array that the events are appended to
   */
  end(into: WatchEvent<T>[]): void;
}

/** Form of the decoded objects, if it is not a plain object with all members. */
export interface ObjectForm {
  /**
   * Members to keep, in addition to the identity. All others are skipped in the text.
   *
   * @default all members
   */
  readonly fields?: readonly FieldPath[] | undefined;
  /** Whether large members may be parsed on first access. @default false */
  readonly lazy?: boolean | undefined;
  /** Whether objects have their `.metadata.managedFields`. @default that of the decoder */
  readonly managedFields?: boolean | undefined;
}

/** Collection to choose media types for. */
export interface AskedCollection {
  /** Group and version of the collection, such as `apps/v1`. */
  readonly apiVersion: string;
  /** Plural name, as in the URL. */
  readonly resource: string;
  /** Whether only metadata is requested. */
  readonly metadataOnly: boolean;
}

/** A representation of objects on the wire. Stateless: each request creates new decoders. */
export interface Decoder {
  /** Media type of the representation, for the Accept header. */
  readonly mediaType: string;
  /** Media types to request, best first, if they depend on the collection. */
  readonly acceptedTypes?: ((collection: AskedCollection) => readonly string[]) | undefined;
  /** Creates a decoder for the response to one list request. */
  list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
  /** Creates a decoder for the response to one watch request. */
  watch<T>(options?: WatchDecoderOptions<T>): WatchDecoder<T>;
  /**
   * Loads a decoder of the same representation for another form of objects. A decoder without this
   * function has only one form.
   */
  readonly inForm?: ((form: ObjectForm) => Promise<Decoder>) | undefined;
  /**
   * Settings that decoders of other encodings share. A decoder without them only decodes its
   * encoding.
   */
  readonly settings?: DecoderSettings | undefined;
  /**
   * Reads a Status from the body of an error response, which has the requested encoding.
   *
   * @default errors are read as JSON
   * @returns `undefined` if the body is not a Status
   */
  readonly readStatus?: ((body: Uint8Array) => object | undefined) | undefined;
}

/** Input of {@link Codec.createDecoder}. */
export interface CodecOptions {
  /** Decodes responses in JSON, in the requested form. */
  readonly json: Decoder;
  readonly settings: DecoderSettings;
  /** Fields to keep of each object. @default all */
  readonly fields?: readonly FieldPath[] | undefined;
  /** Called when an object of a kind, such as `apps/v1/Deployment`, lacks fields for the first time. */
  readonly onDroppedFields?: ((kind: string) => void) | undefined;
}

/** An encoding that a program imports, such as `protobuf` from `@listwatch/client/protobuf`. */
export interface Codec {
  /** Creates the decoder of one collection. */
  readonly createDecoder: (options: CodecOptions) => Decoder;
}
