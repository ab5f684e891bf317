import type { Decoder, ListDecoder, ListDecoderOptions, WatchDecoder } from "./decoder.ts";
import { JsonListDecoder } from "./list-decoder.ts";
import { JsonWatchDecoder } from "./watch-decoder.ts";

/** Options of {@link jsonDecoder}. */
export interface JsonDecoderOptions {
  /**
   * Whether `.metadata.managedFields` is cut out of the text of each object before parsing, which
   * saves time and memory. Fields of that name elsewhere in an object stay.
   *
   * @default false
   */
  readonly stripManagedFields?: boolean | undefined;
}

/**
 * Makes the decoder for JSON, which is the default. It reads lists item by item: the memory for
 * text is that of the largest item plus one chunk, and no string ever holds the whole list. List
 * items get the `apiVersion` and `kind` that they lack, so that they look as in a watch.
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
 */
export function jsonDecoder(options: JsonDecoderOptions = {}): Decoder {
  const stripManagedFields = options.stripManagedFields === true;
  return {
    mediaType: "application/json",
    list: <T>(listOptions: ListDecoderOptions<T> = {}): ListDecoder<T> =>
      new JsonListDecoder<T>(stripManagedFields, listOptions.reuse),
    watch: <T>(): WatchDecoder<T> => new JsonWatchDecoder<T>(stripManagedFields),
  };
}
