import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { escapeHtml, sortKeys } from "../base/go-text.ts";
import { goStructs } from "./go-structs.generated.ts";
import { unifiedDiff } from "./unified-diff.ts";

// Fields whose names in the API and in the server's types differ in more than case.
const namesInApi: Readonly<Record<string, string>> = {
  CephMonitors: "monitors",
  DataDiskURI: "diskURI",
  DeprecatedServiceAccount: "serviceAccount",
  DiscoveryCHAPAuth: "chapAuthDiscovery",
  EndpointsName: "endpoints",
  RadosUser: "user",
  RBDImage: "image",
  RBDPool: "pool",
  SessionCHAPAuth: "chapAuthSession",
};

const zeros: Readonly<Record<string, unknown>> = { s: "", b: false, i: 0, q: "0" };

/** Formats an object as Go's JSON encoder does the server's own type of it. */
export function showStruct(type: string, object: JsonObject): string {
  return escapeHtml(JSON.stringify(structOf(type, object)));
}

/** The lines in which two objects of a type differ: apimachinery pkg/util/diff, `Diff`. */
export function diffStructs(type: string, before: JsonObject, after: JsonObject): string {
  const [old, now] = [before, after].map((object) =>
    escapeHtml(JSON.stringify(structOf(type, object), null, 1)).split("\n"),
  );
  return unifiedDiff(old ?? [], now ?? []);
}

// A type is a list of fields: `Name:s` is a string, `Name:lType` a list of structs, `^Type` the
// fields of another type, and `~` begins those that are left out when they are not set.
function structOf(type: string, object: JsonObject): JsonObject {
  const names = new Map(Object.keys(object).map((name) => [name.toLowerCase(), name]));
  const struct: Record<string, unknown> = {};
  for (const field of (goStructs[type] ?? "").split(" ")) {
    if (field.startsWith("^")) {
      const isMetadata = field === "^metav1.ObjectMeta";
      const part = isMetadata ? recordOf(object["metadata"]) : object;
      Object.assign(struct, structOf(field.slice(1), part));
      continue;
    }
    const isOptional = field.startsWith("~");
    const [name = "", shape = ""] = field.slice(isOptional ? 1 : 0).split(":");
    const value = object[names.get((namesInApi[name] ?? name).toLowerCase()) ?? ""];
    if (value === undefined && isOptional) continue;
    struct[name] = valueOf(shape, value);
  }
  return struct;
}

function valueOf(shape: string, value: unknown): unknown {
  const type = shape.slice(1);
  if (shape.startsWith("o")) return structOf(type, recordOf(value));
  if (value === undefined || value === null) return zeros[shape] ?? null;
  if (type === "") return sortKeys(value);
  if (Array.isArray(value)) return value.map((item) => structOf(type, recordOf(item)));
  return isRecord(value) ? structOf(type, value) : value;
}
