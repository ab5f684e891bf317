import { isJsonEqual, isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";
import { byteLength } from "../base/go-text.ts";
import { flag, text } from "../base/read-fields.ts";
import { describeJsonError } from "../input/json-scanner.ts";
import { forbidden, invalid, required, tooLong } from "../validation/field-errors.ts";
import { checkConfigKey } from "../validation/names.ts";
import { checkImmutable, checkText } from "../validation/values.ts";
import { type ObjectRules, rulesOf } from "./object-rules.ts";

// pkg/apis/core: `MaxSecretSize`, also of config maps.
const maxDataBytes = 1024 * 1024;

/** Rules for ConfigMaps. */
export const configMapRules: ObjectRules = rulesOf(checkConfigMap, {
  changes: (object, stored) => checkFrozen(object, stored, ["data", "binaryData"]),
});

/** Rules for Secrets. */
export const secretRules: ObjectRules = rulesOf(checkSecret, {
  changes: (object, stored) => [
    ...checkImmutable("type", object["type"], stored["type"]),
    ...checkFrozen(object, stored, ["data"]),
  ],
  warnings: (secret) => warnOfKeyPair(text(secret, "type"), recordOf(secret["data"])),
});

function checkConfigMap(object: ApiObject): readonly FieldError[] {
  const data = recordOf(object["data"]);
  const binary = recordOf(object["binaryData"]);
  const errors = [...checkKeys("data", data), ...checkKeys("binaryData", binary)];
  for (const key of Object.keys(data)) {
    if (!Object.hasOwn(binary, key)) continue;
    errors.push(invalid(`data[${key}]`, key, "duplicate of key present in binaryData"));
  }
  const bytes = Object.values(data).reduce<number>(
    (sum, value) => sum + (typeof value === "string" ? byteLength(value) : 0),
    dataBytes(binary),
  );
  // The server shows the empty path like this.
  if (bytes > maxDataBytes) errors.push(tooLong("[]", maxDataBytes));
  return errors;
}

function checkSecret(object: ApiObject): readonly FieldError[] {
  const data = recordOf(object["data"]);
  const errors = checkKeys("data", data);
  if (dataBytes(data) > maxDataBytes) errors.push(tooLong("data", maxDataBytes));
  errors.push(...checkSecretType(object, data));
  return errors;
}

function checkSecretType(
  object: ApiObject,
  data: Readonly<Record<string, unknown>>,
): readonly FieldError[] {
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
  switch (text(object, "type")) {
    case "kubernetes.io/service-account-token": {
      const annotation = "kubernetes.io/service-account.name";
      const isNamed = text(object, "metadata", "annotations", annotation) !== "";
      return isNamed ? [] : [required(`metadata.annotations[${annotation}]`)];
    }
    case "kubernetes.io/dockercfg":
      return [...missing(".dockercfg"), ...checkJsonObject(".dockercfg", data)];
    case "kubernetes.io/dockerconfigjson":
      return [...missing(".dockerconfigjson"), ...checkJsonObject(".dockerconfigjson", data)];
    case "kubernetes.io/basic-auth": {
      const absent = missing("username", "password");
      return absent.length === 2 ? absent : [];
    }
    case "kubernetes.io/ssh-auth": {
      const key = "ssh-privatekey";
      return data[key] === undefined || data[key] === "" ? [required(`data[${key}]`)] : [];
    }
    case "kubernetes.io/tls":
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

// Warns like Go's crypto/tls about data without a PEM certificate or key.
function warnOfKeyPair(type: string, data: Readonly<Record<string, unknown>>): readonly string[] {
  if (type !== "kubernetes.io/tls") return [];
  const missing = [
    ["tls.crt", "certificate"],
    ["tls.key", "key"],
  ].find(([key = ""]) => !holdsPem(data[key]));
  return missing === undefined ? [] : [`tls: failed to find any PEM data in ${missing[1]} input`];
}

function holdsPem(encoded: unknown): boolean {
  if (typeof encoded !== "string") return false;
  const pem = new TextDecoder().decode(decodeBytes(encoded));
  const blocks = Array.from(pem.matchAll(/-----BEGIN ([^-]+)-----([^]*?)-----END \1-----/g));
  return blocks.some(([, , body = ""]) => isBase64(body.replace(/^(?:.*: .*\n)+\n/, "")));
}

function isBase64(body: string): boolean {
  const bare = body.replaceAll(/\s/g, "");
  return bare.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(bare);
}

// An immutable object stays so, and so does what it holds.
function checkFrozen(
  object: ApiObject,
  stored: ApiObject,
  fields: readonly string[],
): readonly FieldError[] {
  if (!flag(stored, "immutable")) return [];
  const detail = "field is immutable when `immutable` is set";
  const changed = fields.filter((name) => !isJsonEqual(object[name], stored[name]));
  const thawed = flag(object, "immutable") ? [] : ["immutable"];
  return [...thawed, ...changed].map((name) => forbidden(name, detail));
}

function checkKeys(field: string, data: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.keys(data).flatMap((key) => checkText(`${field}[${key}]`, key, checkConfigKey));
}

function checkJsonObject(key: string, data: Readonly<Record<string, unknown>>): FieldError[] {
  const encoded = data[key];
  if (typeof encoded !== "string") return [];
  const problem = describeNoObject(decodeBytes(encoded));
  return problem === undefined
    ? []
    : [invalid(`data[${key}]`, "<secret contents redacted>", problem)];
}

// Returns the message of Go's encoding/json for a string that is not an object.
function describeNoObject(bytes: Uint8Array<ArrayBuffer>): string | undefined {
  const syntaxError = describeJsonError(bytes);
  if (syntaxError !== undefined) return syntaxError;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (isRecord(value) || value === null) return undefined;
  const type = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
}

function decodeBytes(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

// The size of values in base64, without decoding them.
function dataBytes(data: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const value of Object.values(data)) {
    if (typeof value !== "string") continue;
    const padding = value.endsWith("==") ? 2 : value.endsWith("=") ? 1 : 0;
    bytes += (value.length / 4) * 3 - padding;
  }
  return bytes;
}
