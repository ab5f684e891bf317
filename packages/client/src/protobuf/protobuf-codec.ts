/**
 * The decoder of Kubernetes' protobuf, for programs in one file: `encoding: protobuf`.
 *
 * @module
 */
import type { Codec } from "../json/decoder.ts";
import { ObjectLimit } from "../json/object-limit.ts";
import { createProtobufDecoder } from "./protobuf-decoder.ts";

/**
 * The encoding `"protobuf"` together with its decoder. Use it in a page: bundlers leave out a
 * decoder that is only named by a string, and a collection then requests JSON.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { protobuf } from "@listwatch/client/protobuf";
 *
 * const connection = createConnection({
 *   server: "https://localhost:6443",
 *   encoding: protobuf,
 * });
 * if (connection.encoding !== protobuf) throw new Error("unreachable");
 * ```
 */
export const protobuf: Codec = {
  createDecoder: ({ json, settings, fields, onDroppedFields }) =>
    createProtobufDecoder({
      json,
      limit: new ObjectLimit(settings.maxObjectBytes),
      stripManagedFields: settings.stripManagedFields,
      fields,
      onDroppedFields,
    }),
};
