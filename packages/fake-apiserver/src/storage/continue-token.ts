import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { decodeBase64Url, encodeBase64Url } from "../base/bytes.ts";
import { goTypeOf } from "../input/decode.ts";
import { describeJsonError } from "../input/json-scanner.ts";
import { badRequest } from "../api/errors.ts";

/** Start of a list's next page. */
export interface ContinueToken {
  /** Revision of the first page, or −1 for the newest. */
  readonly revision: number;
  /** First key that may be returned. */
  readonly startKey: string;
}

const tokenVersion = "meta.k8s.io/v1";

/** Encodes a token: base64url without padding, keys relative to the root of the list. */
export function encodeContinueToken(token: ContinueToken, root: string): string {
  const start = `/${token.startKey.slice(root.length)}`;
  const json = JSON.stringify({ v: tokenVersion, rv: token.revision, start });
  return encodeBase64Url(new TextEncoder().encode(json));
}

/**
 * Decodes a token.
 *
 * @param root common prefix of the list's keys: `namespace/` or ""
 * @throws {ApiError} 400 if this server did not create it
 */
export function decodeContinueToken(text: string, root: string): ContinueToken {
  const token = parse(text) ?? {};
  if (!isRecord(token)) {
    throw cannotUnmarshal(goTypeOf(token), "Go value of type storage.continueToken");
  }
  const version = textMember(token, "v");
  const revision = revisionMember(token);
  const start = textMember(token, "start");
  if (version !== tokenVersion) {
    throw refused(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0) {
    throw refused(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (start === "") throw refused(`encoded start key empty (version ${tokenVersion})`);
  const key = start.startsWith("/") ? start : `/${start}`;
  if (isUnclean(key)) throw refused(start);
  return { revision, startKey: root + key.slice(1) };
}

/** Returns the next possible key. */
export function keyAfter(key: string): string {
  return `${key}\u0000`;
}

// A key must not leave the list's root: Go's path.Clean would change it.
function isUnclean(key: string): boolean {
  const segments = key.slice(1).split("/");
  return segments.some((segment) => segment === "" || segment === "." || segment === "..");
}

function parse(text: string): unknown {
  const invalidByte = text.search(/[^A-Za-z0-9_-]/);
  if (invalidByte >= 0) throw refused(`illegal base64 data at input byte ${invalidByte}`);
  // A single character in the last group encodes less than a byte.
  if (text.length % 4 === 1) throw refused(`illegal base64 data at input byte ${text.length - 1}`);
  const bytes = decodeBase64Url(text);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw refused(describeJsonError(bytes) ?? "unexpected end of JSON input");
  }
}

function textMember(token: JsonObject, name: string): string {
  const value = token[name] ?? "";
  if (typeof value === "string") return value;
  throw cannotUnmarshal(goTypeOf(value), `Go struct field continueToken.${name} of type string`);
}

function revisionMember({ rv }: JsonObject): number {
  const value = rv ?? 0;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  const given = typeof value === "number" ? `number ${value}` : goTypeOf(value);
  throw cannotUnmarshal(given, "Go struct field continueToken.rv of type int64");
}

function cannotUnmarshal(given: string, target: string): Error {
  return refused(`json: cannot unmarshal ${given} into ${target}`);
}

function refused(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
