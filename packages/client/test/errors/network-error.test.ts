import { isNetworkError, NetworkError } from "@listwatch/client";
import { networkErrorFrom } from "@listwatch/client/base";
import { expect, test } from "vitest";

function nested(
  ...texts: readonly (readonly [message: string, code?: string | undefined])[]
): Error {
  let error: Error | undefined;
  for (const [message, code] of texts.toReversed()) {
    error = Object.assign(
      new TypeError(message, { cause: error }),
      code === undefined ? {} : { code },
    );
  }
  return error ?? new Error("none");
}

test.each([
  [
    "Node",
    nested(["fetch failed"], ["connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED"]),
    "connection-refused",
  ],
  ["Node", nested(["fetch failed"], ["read ECONNRESET", "ECONNRESET"]), "connection-reset"],
  [
    "Node",
    nested(["fetch failed"], ["Headers Timeout Error", "UND_ERR_HEADERS_TIMEOUT"]),
    "timeout",
  ],
  ["Node", nested(["fetch failed"], ["connect ETIMEDOUT 10.0.0.1:1", "ETIMEDOUT"]), "timeout"],
  [
    "Node",
    nested(["fetch failed"], ["Socket timed out", "ERR_SOCKET_CONNECTION_TIMEOUT"]),
    "timeout",
  ],
  ["Node", nested(["terminated"], ["other side closed", "UND_ERR_SOCKET"]), "unexpected-eof"],
  [
    "Deno",
    nested([
      "error sending request for url (http://x/): client error (Connect): tcp connect error: Connection refused (os error 111)",
    ]),
    "connection-refused",
  ],
  ["Deno", nested(["error reading a body from connection"]), "unexpected-eof"],
  [
    "Bun",
    nested(["Unable to connect. Is the computer able to access the url?", "ConnectionRefused"]),
    "connection-refused",
  ],
  [
    "Bun",
    nested(["Was there a typo in the url or port?", "FailedToOpenSocket"]),
    "connection-reset",
  ],
  [
    "Bun",
    nested(["The socket connection was closed unexpectedly.", "ECONNRESET"]),
    "connection-reset",
  ],
  [
    "Deno",
    nested([
      "error sending request for url (http://x/api/v1/pods?watch=true&timeoutSeconds=300): client error (SendRequest): connection closed before message completed",
    ]),
    "connection-reset",
  ],
  [
    "Deno",
    nested([
      "error sending request for url (http://x/api/v1/namespaces/socket/pods?timeoutSeconds=300): dns error",
    ]),
    "unknown",
  ],
  [
    "Node",
    nested(["Failed to parse URL from https://x/apis/v1/incomplete?labelSelector=timeout"]),
    "unknown",
  ],
  ["anything", nested(["The parameter timeoutSeconds is unknown"]), "unknown"],
  ["anything", nested(["A websocket is no transport"]), "unknown"],
  ["Chromium", nested(["Failed to fetch"]), "unknown"],
  ["anything", "a text that was thrown", "unknown"],
])("a failure of %s's fetch is recognised (%#)", (_, thrown, kind) => {
  const error = networkErrorFrom(thrown, "Cannot list pods");
  expect(error).toMatchObject({ code: "LW_NETWORK", kind, cause: thrown });
  expect(error.message).toMatch(/^Cannot list pods: /);
});

const deno = "error sending request for url (https://127.0.0.1:6443/): client error (Connect)";

// Messages observed in Node 24, Deno 2.9 and Bun 1.4.
test.each([
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "self-signed certificate"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate"],
  ["UNABLE_TO_GET_ISSUER_CERT", "unable to get issuer certificate"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "unable to get local issuer certificate"],
  ["CERT_UNTRUSTED", "certificate not trusted"],
  ["CERT_HAS_EXPIRED", "certificate has expired"],
  ["CERT_NOT_YET_VALID", "certificate is not yet valid"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "does not match certificate's altnames"],
  [undefined, `${deno}: invalid peer certificate: UnknownIssuer`],
  [undefined, `${deno}: invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))`],
  [undefined, `${deno}: invalid peer certificate: certificate expired: verification time`],
  [undefined, `${deno}: invalid peer certificate: certificate not valid yet: time`],
  [undefined, `${deno}: invalid peer certificate: certificate not valid for name "127.0.0.1"`],
])("an untrusted certificate (%s) is named, with the fix: %s", (code, text) => {
  for (const thrown of [nested([text, code]), nested(["fetch failed"], [text, code])]) {
    const error = networkErrorFrom(thrown, "Cannot list pods");
    expect(error.kind).toBe("untrusted-certificate");
    expect(error.message).toContain(`Cannot list pods: ${text}`);
    expect(error.message).toMatch(
      /; check its dates, its names \(tls\.serverName\), and that tls\.ca has its authority$/,
    );
  }
});

test.each([
  ["tlsv13 alert certificate required", "ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED"],
  ["received fatal alert: CertificateExpired", undefined],
  ["the certificate is on http://a/CERT_HAS_EXPIRED", undefined],
])("a refused client certificate is not reported as untrusted: %s", (text, code) => {
  expect(networkErrorFrom(nested([text, code]), "Cannot list pods").kind).toBe("unknown");
});

test("a network error differs from others, and has a kind", () => {
  const error = new NetworkError("eof", "Cannot list");
  expect(isNetworkError(error)).toBe(true);
  expect(isNetworkError(error, "timeout", "eof")).toBe(true);
  expect(isNetworkError(error, "timeout")).toBe(false);
  expect(isNetworkError(new Error("eof"))).toBe(false);
  expect(isNetworkError("eof")).toBe(false);
});
