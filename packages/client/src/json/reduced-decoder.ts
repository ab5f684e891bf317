import { createStructure } from "../structure/text-structure.ts";
import type {
  Decoder,
  ListDecoder,
  ListDecoderOptions,
  ObjectForm,
  WatchDecoder,
  WatchDecoderOptions,
} from "./decoder.ts";
import { FieldTree } from "./field-tree.ts";
import { LazyFaults } from "./lazy-faults.ts";
import { LazyReader, smallLength } from "./lazy-reader.ts";
import type { ObjectLimit } from "./object-limit.ts";
import type { ObjectReader } from "./object-reader.ts";
import { ProjectingReader } from "./projecting-reader.ts";
import { StructuredListDecoder } from "./structured-list-decoder.ts";
import { StructuredWatchDecoder } from "./structured-watch-decoder.ts";

/** Options of all forms. */
export interface ReducedDecoderOptions {
  readonly stripManagedFields: boolean;
  readonly limit: ObjectLimit;
  /** Creates the scanner of the structure. @default createStructure */
  readonly scan?: typeof createStructure;
  /** Number of bytes of text from which an object or array is lazy. @default 64 */
  readonly lazyLength?: number;
}

/** Lazy objects: their members and those of their metadata are read. */
const lazyDepth = 2;
/** Depth of an item in a list (within the array of items), and of an object in an event. */
const itemDepth = 2;
const eventDepth = 1;

/**
 * Creates the JSON decoder for some fields of objects, or for lazy objects. Use one per collection:
 * a member that cannot be read ends the next watch.
 */
export function createReducedDecoder(form: ObjectForm, options: ReducedDecoderOptions): Decoder {
  return form.fields === undefined
    ? createLazyDecoder(options)
    : createProjectingDecoder(new FieldTree(form.fields), options);
}

function createProjectingDecoder(tree: FieldTree, options: ReducedDecoderOptions): Decoder {
  const { stripManagedFields } = options;
  const create = <T>(): ObjectReader<T> => new ProjectingReader<T>(tree, stripManagedFields);
  return createDecoder(options, tree.depth, create);
}

function createLazyDecoder(options: ReducedDecoderOptions): Decoder {
  const faults = new LazyFaults();
  const { lazyLength = smallLength, stripManagedFields } = options;
  const create = <T>(): ObjectReader<T> =>
    new LazyReader<T>(stripManagedFields, faults, lazyLength);
  return createDecoder(options, lazyDepth, create, () => faults.throwPending());
}

function createDecoder(
  { limit, scan = createStructure }: ReducedDecoderOptions,
  depth: number,
  createReader: <T>() => ObjectReader<T>,
  beforeEvents?: () => void,
): Decoder {
  return {
    mediaType: "application/json",
    list: <T>({ reuse }: ListDecoderOptions<T> = {}): ListDecoder<T> =>
      new StructuredListDecoder<T>(createReader<T>(), scan(itemDepth + depth), limit, reuse),
    watch: <T>({ reuse }: WatchDecoderOptions<T> = {}): WatchDecoder<T> =>
      new StructuredWatchDecoder<T>(
        createReader<T>(),
        scan(eventDepth + depth),
        limit,
        reuse,
        beforeEvents,
      ),
  };
}
