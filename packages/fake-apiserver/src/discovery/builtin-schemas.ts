import { inRealTime, isRecord, type JsonObject } from "@listwatch/core-fifo/base";

let loaded: Promise<ReadonlyMap<string, JsonObject>> | undefined;

/**
 * Loads the OpenAPI schemas of all built-in types by name. Unpacked on first use: 180 kB of gzip
 * that most programs never need.
 */
export function loadBuiltinSchemas(): Promise<ReadonlyMap<string, JsonObject>> {
  loaded ??= inRealTime(unpack());
  return loaded;
}

async function unpack(): Promise<ReadonlyMap<string, JsonObject>> {
  const { packedSchemas } = await import("./packed-schemas.generated.ts");
  const bytes = Uint8Array.from(atob(packedSchemas), (character) => character.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const schemas: unknown = await new Response(unpacked).json();
  const found = new Map<string, JsonObject>();
  for (const [name, schema] of Object.entries(isRecord(schemas) ? schemas : {})) {
    if (isRecord(schema)) found.set(name, schema);
  }
  return found;
}
