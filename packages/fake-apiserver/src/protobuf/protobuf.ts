import { inRealTime } from "@listwatch/core-fifo/base";
import type { ObjectCodec } from "./object-codec.ts";

/** Media type of Kubernetes' protobuf. */
export const protobufType = "application/vnd.kubernetes.protobuf";

let codec: ObjectCodec | undefined;
let loading: Promise<ObjectCodec> | undefined;

/**
 * Loads the codec once per process: a library, the descriptors and the types, 400 kB. Takes some
 * tens of milliseconds.
 */
export function loadProtobuf(): Promise<ObjectCodec> {
  loading ??= inRealTime(
    import("./object-codec.ts").then(async ({ createObjectCodec }) => {
      codec = await createObjectCodec();
      return codec;
    }),
  );
  return loading;
}

/** Returns the loaded codec. @throws {Error} if it has not been loaded */
export function loadedProtobuf(): ObjectCodec {
  if (codec === undefined) throw new Error("Cannot use protobuf: the codec has not been loaded");
  return codec;
}
