import { createStructure } from "../structure/text-structure.ts";
import type {
  Decoder,
  ListDecoder,
  ListDecoderOptions,
  WatchDecoder,
  WatchDecoderOptions,
} from "./decoder.ts";
import { LazyFaults } from "./lazy-faults.ts";
import { JsonListDecoder } from "./list-decoder.ts";
import type { ObjectLimit } from "./object-limit.ts";
import type { ObjectReader } from "./object-reader.ts";
import { JsonWatchDecoder } from "./watch-decoder.ts";
import { smallLength, WholeReader } from "./whole-reader.ts";

/** Options of the decoders of all forms. */
export interface DecodersOptions {
  readonly stripManagedFields: boolean;
  readonly limit: ObjectLimit;
  /** Creates the scanner of the structure. @default createStructure */
  readonly scan?: typeof createStructure;
}

/** Options of decoders of objects with all members. */
export interface WholeDecodersOptions extends DecodersOptions {
  /** Number of bytes of text from which an object or array may be lazy. @default 64 */
  readonly lazyLength?: number;
}

/** Members of objects, and those of their metadata, are read. */
const wholeDepth = 2;
/** Depth of an item in a list (within the array of items), and of an object in an event. */
const itemDepth = 2;
const eventDepth = 1;

/** How objects of one form are read. */
export interface Form {
  /** Depth of the members that the reader needs. */
  readonly depth: number;
  readonly createReader: <T>() => ObjectReader<T>;
  /** Called before each chunk of a watch; an error that it throws ends the watch. */
  readonly beforeEvents?: () => void;
}

/**
 * Creates the JSON decoder for objects with all members, which are parsed at once or lazily. Use a
 * lazy one for one collection: a member that cannot be read ends the next watch.
 */
export function createWholeDecoder(isLazy: boolean, options: WholeDecodersOptions): Decoder {
  const { lazyLength = smallLength, stripManagedFields } = options;
  const faults = isLazy ? new LazyFaults() : undefined;
  return createDecoder(options, {
    depth: wholeDepth,
    createReader: <T>() => new WholeReader<T>(stripManagedFields, faults, lazyLength),
    beforeEvents: () => faults?.throwPending(),
  });
}

/** Creates the JSON decoder for a form of objects. */
export function createDecoder(
  { limit, scan = createStructure }: DecodersOptions,
  { beforeEvents, createReader, depth }: Form,
): Decoder {
  return {
    mediaType: "application/json",
    list: <T>({ reuse }: ListDecoderOptions<T> = {}): ListDecoder<T> =>
      new JsonListDecoder<T>(createReader<T>(), scan(itemDepth + depth), limit, reuse),
    watch: <T>({ reuse }: WatchDecoderOptions<T> = {}): WatchDecoder<T> =>
      new JsonWatchDecoder<T>(
        createReader<T>(),
        scan(eventDepth + depth),
        limit,
        reuse,
        beforeEvents,
      ),
  };
}
