import { describe, expect, test } from "vitest";
import { parseExecCredential } from "../../src/credentials/exec-credential.ts";
import { execInfo } from "../../src/credentials/exec-info.ts";

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

  test("may begin with a byte order mark, as kubectl accepts it (EXEC-1)", () => {
    expect(parseExecCredential(`\ufeff${answer({ token: "abc" })}`, config).token).toBe("abc");
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
      "an end without a time of day",
      answer({ token: "x", expirationTimestamp: "2099-01-01" }),
      "expirationTimestamp to be a time",
    ],
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

describe("KUBERNETES_EXEC_INFO", () => {
  test("has the version, and whether the plugin gets the terminal, as kubectl encodes it (EXEC-1)", () => {
    const start = `{"kind":"ExecCredential","apiVersion":"${config.apiVersion}","spec":{`;
    expect(execInfo(config, { interactive: false })).toBe(`${start}"interactive":false}}\n`);
    expect(execInfo(config, { interactive: true })).toBe(`${start}"interactive":true}}\n`);
  });

  // Recorded with kubectl 1.33.1.
  test("has the cluster with its members in Go's order and encoding (EXEC-1)", () => {
    const cluster = {
      config: { z: 1, a: "<é\u2028>", "10": "x", "9": true, n: [{ b: null, a: "&" }] },
      server: "https://127.0.0.1:9/a%3Cb%3E/c",
      "proxy-url": "http://127.0.0.1:8",
      "disable-compression": true,
      "insecure-skip-tls-verify": true,
      "tls-server-name": "a&b",
    };
    expect(execInfo({ ...config, cluster }, { interactive: false, authority: "QQ==" })).toBe(
      `{"kind":"ExecCredential","apiVersion":"${config.apiVersion}","spec":{"cluster":{` +
        `"server":"https://127.0.0.1:9/a%3Cb%3E/c","tls-server-name":"a\\u0026b",` +
        `"insecure-skip-tls-verify":true,"certificate-authority-data":"QQ==",` +
        `"proxy-url":"http://127.0.0.1:8","disable-compression":true,"config":{"10":"x","9":true,` +
        `"a":"\\u003cé\\u2028\\u003e","n":[{"a":"\\u0026","b":null}],"z":1}},` +
        `"interactive":false}}\n`,
    );
  });

  test("has a null configuration of the plugin if the cluster has none (EXEC-1)", () => {
    const info = execInfo({ ...config, cluster: { server: "https://a" } }, { interactive: false });
    expect(info).toContain(`"spec":{"cluster":{"server":"https://a","config":null},"interactive"`);
  });
});
