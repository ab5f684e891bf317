import { describe, expect, test } from "vitest";
import { execInfo, parseExecCredential } from "../../src/connection/exec-credential.ts";

const config = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: "login",
  args: [],
  env: {},
  installHint: undefined,
  cluster: undefined,
};

function answer(status: unknown, apiVersion: string = config.apiVersion): string {
  return JSON.stringify({ kind: "ExecCredential", apiVersion, status });
}

describe("the output of a plugin", () => {
  test("contains a token with its expiry, or a certificate with its key (EXEC-1)", () => {
    const status = { token: "abc", expirationTimestamp: "2026-01-01T00:00:00Z" };
    expect(parseExecCredential(answer(status), config)).toEqual({
      token: "abc",
      cert: undefined,
      key: undefined,
      expiresMs: Date.UTC(2026, 0, 1),
    });
    const pair = { clientCertificateData: "C", clientKeyData: "K" };
    expect(parseExecCredential(answer(pair), config)).toMatchObject({ cert: "C", key: "K" });
  });

  test.each([
    ["no JSON", "hello secret", "expected an ExecCredential as JSON"],
    [
      "an empty object",
      "{}",
      "expected an ExecCredential of client.authentication.k8s.io/v1, got something else of something else",
    ],
    ["another version", answer({ token: "x" }, "v9"), "got ExecCredential of v9"],
    ["no credential", answer({}), "it has neither a token nor a client certificate"],
    ["half a pair", answer({ clientCertificateData: "C" }), "a client certificate without its key"],
    ["a token that is no text", answer({ token: 7 }), "expected status.token to be a text"],
    [
      "an end that is no time",
      answer({ token: "x", expirationTimestamp: "soon" }),
      "expirationTimestamp to be a time",
    ],
  ])("is rejected when it is %s (EXEC-1)", (_, text, message) => {
    expect(() => parseExecCredential(text, config)).toThrow(message);
    expect(() => parseExecCredential(text, config)).not.toThrow("secret");
  });
});

test("a plugin receives the version, the cluster on request, and that it has no terminal (EXEC-1)", () => {
  expect(JSON.parse(execInfo({ ...config, cluster: { server: "https://a" } }))).toEqual({
    kind: "ExecCredential",
    apiVersion: config.apiVersion,
    spec: { cluster: { server: "https://a" }, interactive: false },
  });
});
