import type { Decoder } from "@listwatch/client";
import type { ObjectForm } from "../../src/json/decoder.ts";
import { ObjectLimit } from "../../src/json/object-limit.ts";
import { createFormDecoder } from "../../src/json/form-decoder.ts";
import { createStructure } from "../../src/structure/text-structure.ts";
import { scriptStructure } from "./script-structure.ts";

/** The default scanner, which is WebAssembly in tests, and the one in JavaScript. */
export const scanners = ["WebAssembly", "JavaScript"] as const;

export type Scanner = (typeof scanners)[number];

/** Makes a JSON decoder for another object form, with one of the scanners. */
export function formDecoder(
  form: ObjectForm,
  scanner: Scanner,
  stripManagedFields = false,
): Decoder {
  const scan = scanner === "JavaScript" ? scriptStructure : createStructure;
  return createFormDecoder(form, {
    stripManagedFields,
    limit: new ObjectLimit(undefined),
    scan,
  });
}
