import { inRealTime, aBoolean, aNumber, checkOptions } from "@listwatch/core-fifo/base";
import type { Decoder } from "./decoder.ts";
import { createWholeDecoder } from "./decoders.ts";
import { ObjectLimit } from "./object-limit.ts";

/** Options of {@link jsonDecoder}. */
export interface JsonDecoderOptions {
  /**
   * Whether `.metadata.managedFields` is cut out of the text of each object before parsing, which
   * saves time and memory. Fields of that name elsewhere are kept.
   *
   * @default false
   */
  readonly stripManagedFields?: boolean | undefined;
  /**
   * Maximum size of one object on the wire (an item of a list or an event of a watch), in bytes. A
   * larger one causes a {@link DecodeError} with the limit. Infinity for none.
   *
   * @default 16_777_216 (16 MiB, as in client-go)
   */
  readonly maxObjectBytes?: number | undefined;
}

/**
 * Creates the decoder for JSON, the default. It decodes lists item by item: text takes the memory
 * of the largest item plus one chunk, and no string ever contains the whole list. List items get a
 * missing `apiVersion` and `kind`, so that they look like objects of a watch.
 *
 * ```ts
 * import { jsonDecoder } from "@listwatch/client";
 *
 * const decoder = jsonDecoder().watch<{ metadata: { name: string } }>();
 * const events: unknown[] = [];
 * decoder.write(
 *   new TextEncoder().encode('{"type":"ADDED","object":{"metadata":{"name":'),
 *   events as [],
 * );
 * decoder.write(new TextEncoder().encode('"web"}}}\n'), events as []);
 * if (events.length !== 1) throw new Error("expected one event of two pieces");
 * ```
 *
 * @throws {InvalidOptionsError} if an option has an invalid value
 */
export function jsonDecoder(options: JsonDecoderOptions = {}): Decoder {
  checkOptions(options, { stripManagedFields: aBoolean, maxObjectBytes: aNumber(1) });
  const stripManagedFields = options.stripManagedFields === true;
  const limit = new ObjectLimit(options.maxObjectBytes);
  return {
    ...createWholeDecoder(false, { stripManagedFields, limit }),
    settings: { stripManagedFields, maxObjectBytes: limit.maxBytes },
    inForm: async ({ fields, lazy = false, managedFields }) => {
      const form = { stripManagedFields: stripManagedFields || managedFields === false, limit };
      if (fields === undefined) return createWholeDecoder(lazy, form);
      // Most programs do not need it, so it is loaded late.
      const { createFormDecoder } = await inRealTime(import("./form-decoder.ts"));
      return createFormDecoder({ fields }, form);
    },
  };
}
