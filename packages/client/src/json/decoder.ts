import type { ListMeta, WatchEvent } from "../resource/list-watch.ts";

/** What tells one state of an object from another, read from its text without parsing the rest. */
export interface ObjectIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/**
 * Hands back the object that is already held for exactly this state, so that it need not be parsed
 * again; `undefined` when there is none.
 */
export type ReuseFunction<T> = (identity: ObjectIdentity) => T | undefined;

/** Options of {@link Decoder.list}. */
export interface ListDecoderOptions<T> {
  readonly reuse?: ReuseFunction<T> | undefined;
}

/**
 * Turns the bytes of one list into objects, piece by piece, cut anywhere. `apiVersion`, `kind` and
 * `metadata` are complete after `end`.
 */
export interface ListDecoder<T> {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly metadata: ListMeta | undefined;
  /**
   * Appends the objects that are complete now. When it throws, those before the fault are in
   * `into`.
   *
   * @throws {DecodeError} if the bytes are no JSON
   * @throws {NotAListError} if they are no list
   */
  write(chunk: Uint8Array, into: T[]): void;
  /**
   * Appends what was still waiting for its end.
   *
   * @throws {NetworkError} of kind `unexpected-eof` if the list is cut short
   */
  end(into: T[]): void;
}

/** Turns the bytes of one watch into events, piece by piece, cut anywhere. */
export interface WatchDecoder<T> {
  /**
   * Appends the events that are complete now. When it throws, those before the fault are in `into`.
   *
   * @throws {DecodeError} if a line is no event
   */
  write(chunk: Uint8Array, into: WatchEvent<T>[]): void;
  /** Appends a last event that is complete; drops one that is cut short. */
  end(into: WatchEvent<T>[]): void;
}

/** A representation of objects on the wire. Stateless: every request gets decoders of its own. */
export interface Decoder {
  /** Media type of the representation, for the Accept header. */
  readonly mediaType: string;
  list<T>(options?: ListDecoderOptions<T>): ListDecoder<T>;
  watch<T>(): WatchDecoder<T>;
}
