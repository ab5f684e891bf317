import type { Decoder } from "@listwatch/client";
import type { ObjectForm } from "../../src/json/decoder.ts";
import { ObjectLimit } from "../../src/json/object-limit.ts";
import { createReducedDecoder } from "../../src/json/reduced-decoder.ts";
import { createStructure } from "../../src/structure/create-structure.ts";
import { scriptStructure } from "./script-structure.ts";

/** The scanner of this runtime, which is WebAssembly here, and the one in JavaScript. */
export const scanners = ["WebAssembly", "JavaScript"] as const;

export type Scanner = (typeof scanners)[number];

/** Decodes JSON to another form of objects, with one of the scanners. */
export function reducedDecoder(
  form: ObjectForm,
  scanner: Scanner,
  stripManagedFields = false,
): Decoder {
  const scan = scanner === "JavaScript" ? scriptStructure : createStructure;
  return createReducedDecoder(form, {
    stripManagedFields,
    limit: new ObjectLimit(undefined),
    scan,
  });
}
