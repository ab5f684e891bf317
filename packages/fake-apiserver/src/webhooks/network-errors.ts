import { isRecord } from "@listwatch/core-fifo/base";
import { count, field, text } from "../base/read-fields.ts";

const untrusted = "tls: failed to verify certificate: x509:";
const unknownAuthority = `${untrusted} certificate signed by unknown authority`;

// Codes of Node's `node:tls`, "X509 certificate error codes".
const certificateErrors: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: `${untrusted} certificate has expired or is not yet valid`,
  CERT_NOT_YET_VALID: `${untrusted} certificate has expired or is not yet valid`,
};

/**
 * Returns what Go's client says of an error of Node's, without the client's address.
 *
 * @param host name that the certificate had to be valid for
 */
export function goNetworkError(error: unknown, host: string): string {
  // One error for each address that was tried.
  const attempts: unknown = field(error, "errors");
  if (Array.isArray(attempts) && attempts.length > 0) return goNetworkError(attempts[0], host);
  const code = text(error, "code");
  const address = text(error, "address");
  const shown = `${address.includes(":") ? `[${address}]` : address}:${count(error, "port")}`;
  switch (code) {
    case "ECONNREFUSED":
      return `dial tcp ${shown}: connect: connection refused`;
    case "EHOSTUNREACH":
      return `dial tcp ${shown}: connect: no route to host`;
    case "ETIMEDOUT":
      return `dial tcp ${shown}: i/o timeout`;
    case "EAI_AGAIN":
    case "ENOTFOUND":
      return `dial tcp: lookup ${text(error, "hostname")}: no such host`;
    case "ECONNRESET":
      return "EOF";
    case "EPROTO":
    case "ERR_SSL_WRONG_VERSION_NUMBER":
      return "http: server gave HTTP response to HTTPS client";
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return wrongName(error, host);
    default:
      return certificateErrors[code] ?? (error instanceof Error ? error.message : String(error));
  }
}

function wrongName(error: unknown, host: string): string {
  const certificate = field(error, "cert");
  const names = (isRecord(certificate) ? text(certificate, "subjectaltname") : "")
    .split(", ")
    .filter((name) => name !== "")
    .map((name) => name.replace(/^(?:DNS|IP Address):/, ""));
  if (names.length === 0) {
    return `${untrusted} certificate is not valid for any names, but wanted to match ${host}`;
  }
  return `${untrusted} certificate is valid for ${names.join(", ")}, not ${host}`;
}
