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

/** Options of {@link Decoder.list}. */
export interface ListDecoderOptions<T> {
  readonly reuse?: ReuseFunction<T> | undefined;
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
   * @throws {NotAListError} if they are not a list
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

/** A representation of objects on the wire. Stateless: each request uses new decoders. */
export interface Decoder {
  /** Media type of the representation, for the Accept header. */
  readonly mediaType: string;
  list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
  watch<T>(): WatchDecoder<T>;
}
