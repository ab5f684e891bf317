import type { ObjectIdentity } from "../decoder.ts";
import { findMember, readMember, skipValue } from "./json-scan.ts";

/** Namespace, name, uid and resourceVersion from the text of the object that begins at `start`. */
export function readIdentity(text: string, start: number): ObjectIdentity | undefined {
  const metadata = findMember(text, start, "metadata");
  if (metadata === undefined || text.charAt(metadata.valueStart) !== "{") return undefined;
  let namespace = "";
  let name = "";
  let uid = "";
  let resourceVersion = "";
  let position = metadata.valueStart + 1;
  while (name === "" || uid === "" || resourceVersion === "" || namespace === "") {
    const member = readMember(text, position);
    if (member === undefined) return undefined;
    if (member === null) break;
    position = skipValue(text, member.valueStart);
    if (position < 0) return undefined;
    switch (member.key) {
      case "namespace":
        namespace = stringAt(text, member.valueStart, position);
        break;
      case "name":
        name = stringAt(text, member.valueStart, position);
        break;
      case "uid":
        uid = stringAt(text, member.valueStart, position);
        break;
      case "resourceVersion":
        resourceVersion = stringAt(text, member.valueStart, position);
        break;
      default:
    }
  }
  if (name === "" || uid === "" || resourceVersion === "") return undefined;
  return { namespace, name, uid, resourceVersion };
}

/** The text of a plain string; `""` for anything else, also for one with escapes (names and uids have none). */
function stringAt(text: string, start: number, end: number): string {
  if (text.charAt(start) !== '"') return "";
  const content = text.slice(start + 1, end - 1);
  return content.includes("\\") ? "" : content;
}
