import { isRecord } from "@listwatch/core-fifo/base";
import type { ExecConfig } from "./cluster-config.ts";
import { ConfigError } from "../errors/errors.ts";

/** Credential from an exec plugin. */
export interface ExecCredential {
  readonly token: string | undefined;
  readonly cert: string | undefined;
  readonly key: string | undefined;
  /** Expiry, in milliseconds since 1970; `undefined` if it has none. */
  readonly expiresMs: number | undefined;
}

/**
 * Reads the output of a plugin.
 *
 * @throws {ConfigError} with the name of the plugin, never with its output, which may be a token
 */
export function parseExecCredential(text: string, config: ExecConfig): ExecCredential {
  const fail = (reason: string, options?: ErrorOptions): ConfigError =>
    new ConfigError(`Cannot use what ${config.command} has printed: ${reason}`, options);
  const answer = parseJson(text);
  if (!isRecord(answer)) throw fail("expected an ExecCredential as JSON");
  const { kind, apiVersion } = answer;
  if (kind !== "ExecCredential" || apiVersion !== config.apiVersion) {
    const got = `${wordOf(kind)} of ${wordOf(apiVersion)}`;
    throw fail(`expected an ExecCredential of ${config.apiVersion}, got ${got}`);
  }
  const status = isRecord(answer["status"]) ? answer["status"] : {};
  const read = (name: string): string | undefined => {
    const value = status[name] ?? "";
    if (typeof value !== "string") throw fail(`expected status.${name} to be a text`);
    return value === "" ? undefined : value;
  };
  const token = read("token");
  const cert = read("clientCertificateData");
  const key = read("clientKeyData");
  if (token === undefined && cert === undefined && key === undefined) {
    throw fail("it has neither a token nor a client certificate");
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw fail("it has a client certificate without its key, or a key without a certificate");
  }
  const end = read("expirationTimestamp");
  const expiresMs = end === undefined ? undefined : parseTime(end);
  if (Number.isNaN(expiresMs)) throw fail("expected status.expirationTimestamp to be a time");
  return { token, cert, key, expiresMs };
}

/** Parses a time like Go: RFC 3339, which has a time of day and a zone. */
function parseTime(text: string): number {
  return /^[^T]+T[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
}

function parseJson(text: string): unknown {
  try {
    // kubectl accepts a byte order mark, which shells of Windows write.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function wordOf(value: unknown): string {
  return typeof value === "string" && /^[\w./-]{1,80}$/.test(value) ? value : "something else";
}
