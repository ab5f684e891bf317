import type {
  Decoder,
  ListDecoder,
  ListDecoderOptions,
  WatchDecoder,
  WatchDecoderOptions,
} from "../json/decoder.ts";
import { LazyFaults } from "../json/lazy-faults.ts";
import type { ObjectLimit } from "../json/object-limit.ts";
import type { FieldPath } from "../resource/projected.ts";
import { protobufType } from "../wire/envelope.ts";
import { readStatusBody } from "../wire/read-status.ts";
import { FieldTree } from "../json/field-tree.ts";
import { createFieldTable, type FieldTable } from "./field-table.ts";
import { ProtobufObjectReader } from "./object-reader.ts";
import { ProtobufListDecoder } from "./protobuf-list-decoder.ts";
import { ProtobufWatchDecoder } from "./protobuf-watch-decoder.ts";

/** Options of {@link createProtobufDecoder}. */
export interface ProtobufDecoderOptions {
  /** Decodes responses in JSON. */
  readonly json: Decoder;
  readonly stripManagedFields: boolean;
  readonly limit: ObjectLimit;
  /** Fields to keep of each object. @default all */
  readonly fields?: readonly FieldPath[] | undefined;
  /** Called when an object of a kind, such as `apps/v1/Deployment`, lacks fields for the first time. */
  readonly onDroppedFields?: ((kind: string) => void) | undefined;
  /** Number of bytes from which a message, list or map is lazy. @default 40 */
  readonly lazyLength?: number;
}

/** Size of a member that costs more to keep than to read. */
const smallLength = 40;

let table: FieldTable | undefined;

/**
 * Creates the decoder for Kubernetes' protobuf, whose objects are lazy. Use one per collection: a
 * member that cannot be read ends the next watch. The server may send JSON where it has no protobuf
 * form.
 */
export function createProtobufDecoder(options: ProtobufDecoderOptions): Decoder {
  const { json, limit, stripManagedFields, onDroppedFields } = options;
  const allFields = (table ??= createFieldTable());
  const kept = options.fields && new FieldTree(options.fields);
  const faults = new LazyFaults();
  const { lazyLength = smallLength } = options;
  const createReader = (): ProtobufObjectReader =>
    new ProtobufObjectReader({
      table: allFields,
      faults,
      stripManagedFields,
      kept,
      lazyLength,
      onDroppedFields,
    });
  return {
    mediaType: protobufType,
    acceptedTypes: ({ apiVersion, resource, metadataOnly }) =>
      metadataOnly || allFields.hasResource(apiVersion, resource)
        ? [protobufType, json.mediaType]
        : [json.mediaType],
    list: <T>(request: ListDecoderOptions<T> = {}): ListDecoder<T> =>
      isProtobuf(request.contentType)
        ? new ProtobufListDecoder<T>(createReader(), limit, request.reuse)
        : json.list<T>(request),
    watch: <T>(request: WatchDecoderOptions<T> = {}): WatchDecoder<T> =>
      isProtobuf(request.contentType)
        ? new ProtobufWatchDecoder<T>(createReader(), limit, request.reuse, () =>
            faults.throwPending(),
          )
        : json.watch<T>(request),
    readStatus: readStatusBody,
  };
}

/** Whether a response is protobuf. Without a type, it is what was requested. */
function isProtobuf(contentType: string = protobufType): boolean {
  const [type = ""] = contentType.split(";");
  return type.trim().toLowerCase() === protobufType;
}
