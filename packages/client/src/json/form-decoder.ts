import type { Decoder, ObjectForm } from "./decoder.ts";
import { createDecoder, createWholeDecoder, type WholeDecodersOptions } from "./decoders.ts";
import { FieldTree } from "./field-tree.ts";
import { ProjectingReader } from "./projecting-reader.ts";

/** Creates the JSON decoder for any form of objects. Programs load it for objects with some fields. */
export function createFormDecoder(
  { fields, lazy = false }: ObjectForm,
  options: WholeDecodersOptions,
): Decoder {
  if (fields === undefined) return createWholeDecoder(lazy, options);
  const tree = new FieldTree(fields);
  return createDecoder(options, {
    depth: tree.depth,
    createReader: <T>() => new ProjectingReader<T>(tree, options.stripManagedFields),
  });
}
