import type * as nodeCrypto from "node:crypto";
import { readFile } from "node:fs/promises";
import { describeError } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import type { PemSource } from "./cluster-config.ts";
import { RereadFiles, type RereadOptions } from "./node-reread-files.ts";

/** Returns the current PEM data. */
export type PemReader = () => Promise<string>;
/** Returns the current certificate and its key. With `isRefresh`, files are reread in any case. */
export type PairReader = (isRefresh?: boolean) => Promise<readonly [cert: string, key: string]>;

/** Creates a reader of a certificate authority. A file is reread once a minute. */
export function pemReader(source: PemSource, options: RereadOptions): PemReader {
  if ("text" in source) return async () => source.text;
  const files = new RereadFiles(
    [source.file],
    ([text = ""]) => text.includes("-----BEGIN"),
    options,
  );
  return async () => {
    const [text = ""] = await files.get();
    return text;
  };
}

/**
 * Creates a reader of a certificate and its key. Files are reread once a minute, both together: a
 * pair with only one new half is not used.
 */
export function pairReader(
  cert: PemSource,
  key: PemSource,
  passphrase: string | undefined,
  options: RereadOptions,
): PairReader {
  if ("file" in cert && "file" in key) {
    let crypto: Crypto | undefined;
    const isPair = ([certText = "", keyText = ""]: readonly string[]): boolean =>
      crypto !== undefined && areOfOnePair(crypto, certText, keyText, passphrase);
    const files = new RereadFiles([cert.file, key.file], isPair, options);
    return async (isRefresh) => {
      crypto ??= await import("node:crypto");
      const [certText = "", keyText = ""] = await files.get(isRefresh);
      return [certText, keyText];
    };
  }
  // Data in the configuration never changes, so a file beside it must not either.
  let pair: readonly [string, string] | undefined;
  return async () => (pair ??= await Promise.all([textOf(cert), textOf(key)]));
}

async function textOf(source: PemSource): Promise<string> {
  if ("text" in source) return source.text;
  try {
    return await readFile(source.file, "utf8");
  } catch (cause) {
    throw new ConfigError(`Cannot read ${source.file}: ${describeError(cause)}`, { cause });
  }
}

/** Loaded on demand: few configurations need it, and it is slow to load. */
type Crypto = typeof nodeCrypto;

function areOfOnePair(
  { createPrivateKey, X509Certificate }: Crypto,
  cert: string,
  key: string,
  passphrase: string | undefined,
): boolean {
  const privateKey = createPrivateKey(passphrase === undefined ? key : { key, passphrase });
  return new X509Certificate(cert).checkPrivateKey(privateKey);
}
