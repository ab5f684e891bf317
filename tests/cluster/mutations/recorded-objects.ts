import { readFileSync } from "node:fs";
import { recordings } from "../../../conformance/fidelity/differences.ts";
import type { Draft } from "../kinds/generate-object.ts";
import { namespace } from "../kinds/observe-kinds.ts";

/** The objects that the recordings create, with names, in the namespace of this test. */
export function* recordedObjects(): Generator<Draft> {
  for (const file of ["defaults.json", "kinds.json"]) {
    const { observations } = JSON.parse(readFileSync(new URL(file, recordings), "utf8")) as {
      readonly observations: readonly { readonly input: Draft; readonly kind: string }[];
    };
    for (const { input, kind } of observations) {
      // They are requests, which no server stores.
      if (/Review$/.test(kind)) continue;
      const { generateName, namespace: _namespace, ...metadata } = input["metadata"] as Draft;
      const name = metadata["name"] ?? `${String(generateName)}x`;
      const { involvedObject } = input;
      const isEvent = typeof involvedObject === "object";
      yield {
        ...withoutEmptyParts(input),
        metadata: { ...metadata, name },
        ...(isEvent && { involvedObject: { ...involvedObject, namespace } }),
      };
    }
  }
}

/**
 * An object without empty lists: the fake server counts them as absent, which each answer about the
 * object would show.
 */
function withoutEmptyParts(object: Draft): Draft {
  const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
  const json = JSON.stringify(object, (_, value: unknown) =>
    isEmptyList(value) ? undefined : value,
  );
  return JSON.parse(json) as Draft;
}
