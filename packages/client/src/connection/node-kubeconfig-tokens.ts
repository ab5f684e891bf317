import { chmod, open, readFile, realpath, rename, rm, stat } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { decodeText, hasCode } from "@listwatch/core-fifo/base";
import {
  editProviderSettings,
  readProviderSettings,
  type ParseKubeconfig,
} from "./node-kubeconfig-edit.ts";
import type { OidcTokenPair, OidcTokenStore } from "../credentials/cluster-config.ts";

/** Number of attempts to lock a file. kubectl holds its lock for a few milliseconds. */
const lockAttempts = 40;
/** Time between two attempts, in milliseconds. */
const lockPauseMs = 50;

/** Last renewal of each user of each file in this process. */
const renewals = new Map<string, Promise<unknown>>();

/**
 * Tokens of an `oidc` user in a kubeconfig. They are written as by kubectl: under the same lock,
 * and with the file's mode. The new file replaces the old one at once.
 */
export class KubeconfigTokens implements OidcTokenStore {
  readonly #file: string;
  readonly #user: string;
  readonly #parse: ParseKubeconfig;

  constructor(file: string, user: string, parse: ParseKubeconfig) {
    this.#file = file;
    this.#user = user;
    this.#parse = parse;
  }

  async read(): Promise<OidcTokenPair> {
    const document = this.#parse(decodeText(await readFile(this.#file)));
    const settings = readProviderSettings(document, this.#user);
    const read = (name: string): string | undefined => {
      const value = settings?.[name];
      return typeof value === "string" && value !== "" ? value : undefined;
    };
    return { idToken: read("id-token"), refreshToken: read("refresh-token") };
  }

  async write({ idToken, refreshToken }: OidcTokenPair): Promise<void> {
    const settings = {
      ...(idToken === undefined ? {} : { "id-token": idToken }),
      ...(refreshToken === undefined ? {} : { "refresh-token": refreshToken }),
    };
    await withLock(this.#file, async () => {
      const bytes = await readFile(this.#file);
      // Other encodings than UTF-8 must not be damaged.
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      const plain = withoutMark(text);
      const edited = editProviderSettings(plain, this.#user, settings, this.#parse);
      if (edited === undefined) throw new Error(`it has no user "${this.#user}" any more`);
      if (edited !== plain) await replaceFile(this.#file, text.slice(0, -plain.length) + edited);
    });
  }

  async exclusively<T>(renewal: () => Promise<T>): Promise<T> {
    const key = `${this.#file}\n${this.#user}`;
    const previous = renewals.get(key) ?? Promise.resolve();
    const current = previous.then(renewal, renewal);
    renewals.set(key, current);
    try {
      return await current;
    } finally {
      if (renewals.get(key) === current) renewals.delete(key);
    }
  }
}

function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

/** Holds the lock of clientcmd's `lockFile` during an edit. */
async function withLock(file: string, edit: () => Promise<void>): Promise<void> {
  const lock = `${file}.lock`;
  for (let attempt = 1; ; attempt++) {
    try {
      await (await open(lock, "wx", 0)).close();
      break;
    } catch (error) {
      if (!hasCode(error, "EEXIST") || attempt >= lockAttempts) throw error;
      await delay(lockPauseMs);
    }
  }
  try {
    await edit();
  } finally {
    await rm(lock, { force: true });
  }
}

/** Replaces a file at once, so that no reader sees a half of it. A symbolic link stays. */
async function replaceFile(file: string, text: string): Promise<void> {
  const path = await realpath(file);
  const { gid, mode, uid } = await stat(path);
  const fresh = `${path}.${globalThis.process.pid}.new`;
  try {
    const handle = await open(fresh, "wx", 0o600);
    try {
      await handle.writeFile(text);
      // Only a privileged process can keep another owner.
      await handle.chown(uid, gid).catch(() => undefined);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await chmod(fresh, mode & 0o7777);
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
