import { DecodeError, NetworkError, StatusError } from "@listwatch/client";
import { createNotAListError } from "@listwatch/client/base";
import { describe, expect, test } from "vitest";
import { CredentialsError } from "../../src/errors/errors.ts";

function ofNetwork(
  kind: NetworkError["kind"],
  message = "it failed",
  cause?: unknown,
): NetworkError {
  return new NetworkError(kind, message, { cause });
}

/** A Status as a server may send it: of any type. */
function ofStatus(code: unknown, reason: string, message: string, details?: unknown): StatusError {
  return statusErrorOf({ code, reason, message, details });
}

function statusErrorOf(status: object, path?: string): StatusError {
  return new StatusError(status, { path });
}

const html = 'Cannot list http://a/pods: the server answered 502 with "<html>\\n<head>"';
const forbidden =
  'deployments.apps is forbidden: User "u" cannot watch resource "deployments" in API group "apps" in the namespace "shop"';

describe("failureKind and advice", () => {
  test.each([
    [ofNetwork("connection-refused"), "network: connection-refused", /port/],
    [ofNetwork("timeout"), "network: timeout", /proxies/],
    [ofNetwork("eof"), "network: eof", /broke/],
    [ofNetwork("unknown"), "network: unknown", /CORS/],
    [
      ofNetwork("untrusted-certificate"),
      "network: untrusted-certificate",
      /^Check the certificate authority that the connection trusts/,
    ],
    [
      ofNetwork("unknown", "received fatal alert: CertificateRequired"),
      "network: unknown",
      /certificates/,
    ],
    [ofNetwork("unknown", "getaddrinfo ENOTFOUND a.example"), "network: name", /DNS/],
    [
      ofNetwork("unknown", "Cannot list http://a/certificate?x=ENOTFOUND: no"),
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
      statusErrorOf({ code: 404, reason: "NotFound" }, "/api/v1/nodes/a/status"),
      "code 404 NotFound",
      /has the subresource status/,
    ],
    [ofStatus(500, "InternalError", "no"), "code 500 InternalError", /logs of the server/],
    [ofStatus("x", "", "no"), "code 0 ", /^none$/],
    [new DecodeError("JSON", 0, " <!DOCTYPE html>"), "HTML", /HTML page/],
    [new DecodeError("JSON", 0, "{,}"), "LW_DECODE", /API server/],
    [new CredentialsError("Cannot log in", { cause: "x" }), "LW_CREDENTIALS", /the command/],
    [createNotAListError("null"), "LW_NOT_A_LIST", /no list/],
  ])("%s", (error, failureKind, advice) => {
    expect(error.failureKind).toBe(failureKind);
    expect(error.advice ?? "none").toMatch(advice);
  });

  test("ignore what changes from one failure of a cause to the next", () => {
    const kinds = [1, 2].map(
      (seconds) => ofStatus(504, "Timeout", `no answer in ${seconds} s`).failureKind,
    );
    expect(kinds[0]).toBe(kinds[1]);
  });

  test("find the name of a server in what caused the failure", () => {
    const cause = Object.assign(new Error("fetch failed"), { code: "EAI_AGAIN" });
    expect(ofNetwork("unknown", "it failed", new Error("x", { cause })).advice).toMatch(/DNS/);
  });

  test("survive what a server may send", () => {
    expect(ofStatus(403, "Forbidden", "x", 7).advice).toMatch(/missing right/);
    expect(ofStatus(403, "Forbidden", "x", { kind: 7 }).advice).toMatch(/missing right/);
    expect(ofStatus(404, "NotFound", "x", { name: {} }).advice).toMatch(/CustomResourceDefinition/);
    expect(statusErrorOf({}).failureKind).toBe("code 0 ");
  });
});
