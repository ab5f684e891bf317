import { isRecord } from "@listwatch/core-fifo/base";

// k8s.io/apimachinery util/rand, `SafeEncodeString`.
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/**
 * Returns the hash in the names of ReplicaSets and ControllerRevisions. It is of the same form as
 * that of a real controller, which hashes a Go structure and so gets another value.
 *
 * @param collisions counts the hashes that other objects had
 */
export function templateHash(template: unknown, collisions: number): string {
  // FNV-1a of 32 bits, as k8s.io/kubernetes pkg/controller `ComputeHash`.
  let hash = 0x811c9dc5;
  const text = canonical(template) + (collisions === 0 ? "" : String(collisions));
  for (const char of text) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  const digits = Array.from(String(hash), (digit) => digit.codePointAt(0) ?? 0);
  return digits.map((code) => alphabet[code % alphabet.length]).join("");
}

// Equal templates have equal hashes, whatever the order of their members.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value).toSorted();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}
