import { recordOf } from "@listwatch/core-fifo/base";
import type { ObjectDecoder } from "../input/decode-object.ts";
import { loadedSchemaTable, loadSchemaTable } from "./schema-table.ts";
import { mergeStrategicPatch } from "./strategic-patch.ts";
import { decodeTyped } from "./typed-object.ts";
import { zeroOf } from "./zero-values.ts";

// The server recognises pre-release versions that it no longer serves.
const oldVersion = /\/v\d+(?:alpha|beta)\d+$/;
type LoadDecoder = (apiVersion: string, kind: string) => Promise<ObjectDecoder | undefined>;

/** Loads the decoder of a built-in kind; undefined for an unknown kind. */
export const loadDecoder: LoadDecoder = once(makeDecoder);

/** Same as {@link loadDecoder}, for stored kinds, which have managed fields. */
export const loadStoredDecoder: LoadDecoder = once(makeStoredDecoder);

function once(make: LoadDecoder): LoadDecoder {
  const decoders = new Map<string, Promise<ObjectDecoder | undefined>>();
  return (apiVersion, kind) => {
    const name = `${apiVersion} ${kind}`;
    let decoder = decoders.get(name);
    if (decoder === undefined) {
      decoder = make(apiVersion, kind);
      decoders.set(name, decoder);
    }
    return decoder;
  };
}

async function makeStoredDecoder(
  apiVersion: string,
  kind: string,
): Promise<ObjectDecoder | undefined> {
  const decoder = await loadDecoder(apiVersion, kind);
  return (
    decoder && {
      ...decoder,
      decode: (value, from) => {
        const decoded = decoder.decode(value, from);
        const { managedFields } = recordOf(value["metadata"]);
        if (!Array.isArray(managedFields) || managedFields.length > 0) return decoded;
        // The list that clears the entries: k8s.io/apimachinery `isResetManagedFields`,
        // pkg/util/managedfields/internal/fieldmanager.go. Other empty ones count as absent.
        const metadata = { ...decoded.object.metadata, managedFields };
        return { ...decoded, object: { ...decoded.object, metadata } };
      },
    }
  );
}

async function makeDecoder(apiVersion: string, kind: string): Promise<ObjectDecoder | undefined> {
  const table = await loadSchemaTable();
  const type = table.typeOf(apiVersion, kind);
  if (type === undefined) return undefined;
  return {
    decode: (value, from) => {
      const { object, unknown } = decodeTyped(value, type, from);
      // Every kind has metadata, which decoding fills in.
      return { object: { ...object, metadata: recordOf(object["metadata"]) }, unknown };
    },
    isRegistered: (version, name) =>
      table.typeOf(version, name) !== undefined || oldVersion.test(version),
    merge: (value, patch) => mergeStrategicPatch(value, patch, type),
  };
}

/**
 * Returns the status the server writes for an object without one. Undefined if it writes none, or
 * if the types have not been loaded.
 */
export function zeroStatus(apiVersion: string, kind: string): unknown {
  const field = loadedSchemaTable()?.typeOf(apiVersion, kind)?.fields.get("status");
  return field?.written === true ? zeroOf(field) : undefined;
}
