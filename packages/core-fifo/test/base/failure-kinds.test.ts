import { describe, expect, test } from "vitest";
import { kindOfFailure } from "@listwatch/core-fifo/base";

function coded(code: string, data: object, message = "it failed", cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code, ...data });
}

function ofStatus(code: unknown, reason: string, message: string, details?: unknown): Error {
  return coded("LW_STATUS", { status: { code, reason, message, details } }, message);
}

const html = 'Cannot list http://a/pods: the server answered 502 with "<html>\\n<head>"';
const forbidden =
  'deployments.apps is forbidden: User "u" cannot watch resource "deployments" in API group "apps" in the namespace "shop"';

describe("kindOfFailure", () => {
  test.each([
    [coded("LW_NETWORK", { kind: "connection-refused" }), "network: connection-refused", /port/],
    [coded("LW_NETWORK", { kind: "timeout" }), "network: timeout", /proxies/],
    [coded("LW_NETWORK", { kind: "eof" }), "network: eof", /broke/],
    [coded("LW_NETWORK", { kind: "unknown" }), "network: unknown", /CORS/],
    [
      coded("LW_NETWORK", { kind: "untrusted-certificate" }),
      "network: untrusted-certificate",
      /^Check the certificate authority that the connection trusts/,
    ],
    [
      coded("LW_NETWORK", { kind: "unknown" }, "received fatal alert: CertificateRequired"),
      "network: unknown",
      /certificates/,
    ],
    [
      coded("LW_NETWORK", { kind: "unknown" }, "getaddrinfo ENOTFOUND a.example"),
      "network: name",
      /DNS/,
    ],
    [
      coded("LW_NETWORK", { kind: "unknown" }, "Cannot list http://a/certificate?x=ENOTFOUND: no"),
      "network: unknown",
      /address/,
    ],
    [ofStatus(401, "Unauthorized", "no"), "code 401 Unauthorized", /credentials/],
    [
      ofStatus(403, "Forbidden", forbidden),
      "code 403 Forbidden watch deployments",
      /the verbs list and watch on the resource deployments of the API group apps/,
    ],
    [
      ofStatus(403, "Forbidden", "no", { kind: "pods" }),
      "code 403 Forbidden",
      /Grant the resource pods/,
    ],
    [ofStatus(403, "Forbidden", "no"), "code 403 Forbidden", /the missing right/],
    [
      ofStatus(403, "Forbidden", forbidden.replace('"u"', '"system:anonymous"')),
      "code 403 Forbidden watch deployments",
      /^No credentials were sent, or none accepted/,
    ],
    [
      ofStatus(403, "Forbidden", forbidden.replace('"u"', '"not-system:anonymous"')),
      "code 403 Forbidden watch deployments",
      /^Grant/,
    ],
    [ofStatus(404, "NotFound", "no"), "code 404 NotFound", /CustomResourceDefinition/],
    [ofStatus(404, "NotFound", "no", { name: "a" }), "code 404 NotFound", /no such object/],
    [ofStatus(502, "", html), "HTML with the code 502", /HTML page/],
    [ofStatus(429, "TooManyRequests", "no"), "code 429 TooManyRequests", /overloaded/],
    [
      ofStatus(429, "TooManyRequests", "storage is (re)initializing"),
      "code 429 TooManyRequests",
      /prepares the storage/,
    ],
    [
      Object.assign(ofStatus(404, "NotFound", "no"), { path: "/api/v1/nodes/a/status" }),
      "code 404 NotFound",
      /has the subresource status/,
    ],
    [ofStatus(500, "InternalError", "no"), "code 500 InternalError", /logs of the server/],
    [ofStatus("x", "", "no"), "code 0 ", /^none$/],
    [coded("LW_DECODE", { start: " <!DOCTYPE html>" }), "HTML", /HTML page/],
    [coded("LW_DECODE", { start: "{,}" }), "LW_DECODE", /API server/],
    [coded("LW_TRANSFORM", {}), "LW_TRANSFORM", /transform/],
    [coded("LW_INDEX_FUNCTION", {}), "LW_INDEX_FUNCTION", /index/],
    [coded("LW_KEY", {}), "LW_KEY", /key/],
    [coded("LW_VERY_SHORT_WATCH", {}), "LW_VERY_SHORT_WATCH", /closes watches/],
    [coded("LW_SILENT_WATCHES", {}), "LW_SILENT_WATCHES", /closes watches/],
    [coded("LW_OTHER_HISTORY", {}), "LW_OTHER_HISTORY", /listed again/],
    [new TypeError("x is not a function"), "TypeError", /^none$/],
    ["boom", "a thrown string", /^none$/],
    [undefined, "a thrown undefined", /^none$/],
  ])("%s", (error, kind, advice) => {
    const found = kindOfFailure(error);
    expect(found.kind).toBe(kind);
    expect(found.advice ?? "none").toMatch(advice);
  });

  test("ignores details that differ between failures with the same cause", () => {
    const kinds = [1, 2].map(
      (seconds) => kindOfFailure(ofStatus(504, "Timeout", `no answer in ${seconds} s`)).kind,
    );
    expect(kinds[0]).toBe(kinds[1]);
  });

  test("survives errors that cannot be read", () => {
    const hostile = new Proxy(new Error("x"), {
      get: () => {
        throw new Error("no");
      },
    });
    expect(kindOfFailure(hostile).kind).toBe("an error that cannot be read");
    expect(kindOfFailure(ofStatus(403, "Forbidden", "x", 7)).advice).toMatch(/missing right/);
    expect(kindOfFailure(coded("LW_STATUS", { status: "no" })).kind).toBe("code 0 ");
  });
});
