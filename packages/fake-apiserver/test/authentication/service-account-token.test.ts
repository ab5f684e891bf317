import { describe, expect, test } from "vitest";
import {
  defaultAudience,
  ServiceAccountTokens,
  type TokenRequest,
} from "../../src/authentication/service-account-token.ts";
import { decodeBase64Url, encodeBase64Url } from "../../src/base/bytes.ts";
import { ManualClock } from "../support/manual-clock.ts";

const start = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const request: TokenRequest = {
  namespace: "default",
  serviceAccount: { name: "robot", uid: "u1" },
  boundObject: { kind: "Pod", name: "web", uid: "u2" },
  audiences: [defaultAudience],
  expirationSeconds: 600,
};

function setUp(): { clock: ManualClock; tokens: ServiceAccountTokens } {
  const clock = new ManualClock(start);
  return { clock, tokens: new ServiceAccountTokens(clock, () => 0.5) };
}

function parts(token: string): readonly unknown[] {
  return token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(new TextDecoder().decode(decodeBase64Url(part))) as unknown);
}

describe("the token of a service account", () => {
  test("is a JSON Web Token with the claims of Kubernetes (SUB-4)", async () => {
    const { tokens } = setUp();
    const { expiresAtMs, token } = await tokens.issue(request);
    const second = Math.floor(start / 1000);
    expect(expiresAtMs).toBe((second + 600) * 1000);
    expect(parts(token)).toEqual([
      { alg: "ES256", kid: expect.stringMatching(/^[\w-]{43}$/) as string },
      {
        aud: [defaultAudience],
        exp: second + 600,
        iat: second,
        iss: defaultAudience,
        jti: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
        "kubernetes.io": {
          namespace: "default",
          pod: { name: "web", uid: "u2" },
          serviceaccount: { name: "robot", uid: "u1" },
        },
        nbf: second,
        sub: "system:serviceaccount:default:robot",
      },
    ]);
  });

  test("is valid until it expires", async () => {
    const { clock, tokens } = setUp();
    const { token } = await tokens.issue(request);
    const { expirationSeconds: _seconds, ...claims } = request;
    await clock.advance(599_000);
    expect(await tokens.verify(token)).toMatchObject({ ...claims, hasExpired: false });
    await clock.advance(1000);
    expect(await tokens.verify(token)).toMatchObject({ ...claims, hasExpired: true });
  });

  test("without a bound object names none", async () => {
    const { tokens } = setUp();
    const { token } = await tokens.issue({ ...request, boundObject: undefined });
    expect(await tokens.verify(token)).toMatchObject({ boundObject: undefined });
  });

  test("of another server, or with other claims, is invalid", async () => {
    const { tokens } = setUp();
    const { token } = await tokens.issue(request);
    const other = await setUp().tokens.issue(request);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const claims = new TextDecoder().decode(decodeBase64Url(payload)).replaceAll("robot", "admin");
    const forged = encodeBase64Url(new TextEncoder().encode(claims));
    const refused = [
      other.token,
      `${header}.${forged}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      `${header}.${payload}.%`,
      `${token}.x`,
      "robot",
      "",
    ];
    for (const text of refused)
      expect([text, await tokens.verify(text)]).toEqual([text, undefined]);
  });

  test("is unknown to a server that has issued none", async () => {
    const { token } = await setUp().tokens.issue(request);
    expect(await setUp().tokens.verify(token)).toBeUndefined();
  });
});
