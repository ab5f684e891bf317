import type { ObjectIdentity } from "./decoder.ts";
import { findValue, nextKey, skipString, skipValue, valueAfterKey } from "./scan.ts";

const backslash = 0x5c;

/** Reads namespace, name, uid and resourceVersion from the text of an object. */
export function readIdentity(text: string, start: number): ObjectIdentity | undefined {
  const metadata = findValue(text, start, '"metadata"');
  if (metadata < 0 || text.charAt(metadata) !== "{") return undefined;
  let namespace = "";
  let name = "";
  let uid = "";
  let resourceVersion = "";
  let position = metadata + 1;
  while (name === "" || uid === "" || resourceVersion === "" || namespace === "") {
    const key = nextKey(text, position);
    if (key < 0) break;
    const keyEnd = skipString(text, key);
    if (keyEnd < 0) return undefined;
    const value = valueAfterKey(text, keyEnd);
    position = value < 0 ? -1 : skipValue(text, value);
    if (position < 0) return undefined;
    if (text.startsWith('"namespace"', key)) namespace = stringAt(text, value, position);
    else if (text.startsWith('"name"', key)) name = stringAt(text, value, position);
    else if (text.startsWith('"uid"', key)) uid = stringAt(text, value, position);
    else if (text.startsWith('"resourceVersion"', key)) {
      resourceVersion = stringAt(text, value, position);
    } else if (hasEscape(text, key, keyEnd)) return undefined; // it may spell one of these
  }
  if (name === "" || uid === "" || resourceVersion === "") return undefined;
  return { namespace, name, uid, resourceVersion };
}

function hasEscape(text: string, start: number, end: number): boolean {
  for (let position = start; position < end; position++) {
    if (text.charCodeAt(position) === backslash) return true;
  }
  return false;
}

/** Returns the content of a string without escapes, like names and uids; `""` for any other value. */
function stringAt(text: string, start: number, end: number): string {
  if (text.charAt(start) !== '"') return "";
  const content = text.slice(start + 1, end - 1);
  return content.includes("\\") ? "" : content;
}
