import { createHmac, randomBytes } from "node:crypto";

// 36 characters to the power of 8: longer hashes do not collide in a recording.
const longestCompared = 8;
const longestHash = 20;
/** Names that every cluster has, and words that are not names. */
const kept: ReadonlySet<string> = new Set([
  "cluster",
  "default",
  "false",
  "kube-node-lease",
  "kube-public",
  "kube-system",
  "kubernetes",
  "local",
  "localhost",
  "svc",
  "system",
  "true",
]);
const letters = "abcdefghijklmnopqrstuvwxyz";
const digits = "0123456789";

/**
 * Replaces names by hashes: HMAC-SHA-256 with a random key that exists only in memory. The same
 * name has the same hash in the whole recording. A hash is a valid DNS name of at most the same
 * length, and different names have different hashes.
 */
export class NameHashes {
  readonly #key: Uint8Array;
  /** Short names by their hashes, which could collide. */
  readonly #taken = new Map<string, string>();
  readonly #short = new Map<string, string>();

  constructor(key: Uint8Array = randomBytes(32)) {
    this.#key = key;
  }

  /**
   * Returns a string whose names are replaced. Everything between them stays: `team/web-1` becomes
   * `kqzr/bmxwd`.
   */
  replace(text: string): string {
    return text.replaceAll(/[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?/gu, (name) =>
      kept.has(name) ? name : this.#hash(name),
    );
  }

  #hash(name: string): string {
    if (name.length > longestCompared) return this.#spell(name, 0);
    const known = this.#short.get(name);
    if (known !== undefined) return known;
    for (let attempt = 0; ; attempt++) {
      const hash = this.#spell(name, attempt);
      if (kept.has(hash) || this.#taken.has(hash)) continue;
      this.#taken.set(hash, name);
      this.#short.set(name, hash);
      return hash;
    }
  }

  /** A name that begins with a digit keeps one, so that no length runs out of hashes. */
  #spell(name: string, attempt: number): string {
    const length = Math.min(name.length, longestHash);
    const bytes = createHmac("sha256", this.#key).update(`${attempt} ${name}`).digest();
    const first = /^\p{N}/u.test(name) ? digits : letters;
    let text = pick(first, bytes[0]);
    for (let index = 1; index < length; index++) text += pick(letters + digits, bytes[index]);
    return text;
  }
}

function pick(characters: string, byte = 0): string {
  return characters[byte % characters.length] ?? "";
}
