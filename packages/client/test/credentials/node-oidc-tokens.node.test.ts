import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import type { OidcConfig } from "@listwatch/client";
import { createClusterConnection } from "@listwatch/client/node";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";

const startMs = Date.UTC(2026, 0, 1);

function idToken(name: string, seconds: number): string {
  const encode = (value: object): string =>
    btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return [{ alg: "none" }, { sub: name, exp: startMs / 1000 + seconds }, {}].map(encode).join(".");
}

interface Provider extends AsyncDisposable {
  readonly issuer: string;
  /** Forms sent to the token endpoint, each with the client's Authorization header. */
  readonly forms: Record<string, string | undefined>[];
}

type Answer = (form: Record<string, string | undefined>) => object | number;

/** Starts an identity provider and an API server that echoes the Authorization header. */
async function startProvider(answer: Answer): Promise<Provider> {
  const forms: Record<string, string | undefined>[] = [];
  const respond = async (request: IncomingMessage, issuer: string): Promise<object | number> => {
    const { authorization } = request.headers;
    if (request.url === "/idp/.well-known/openid-configuration") {
      return { token_endpoint: `${issuer}/token` };
    }
    if (request.url !== "/idp/token") return { authorization };
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)));
    const form = { ...fields, authorization };
    forms.push(form);
    return answer(form);
  };
  const server = createServer((request, response) => {
    void (async () => {
      const given = await respond(request, issuer);
      response.statusCode = typeof given === "number" ? given : 200;
      response.end(JSON.stringify(typeof given === "number" ? { error: "invalid_client" } : given));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/idp`;
  return {
    issuer,
    forms,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function connect(issuer: string, rest: Partial<OidcConfig>, log: Log = silentLog) {
  const clock = new SimulatedClock({ startMs });
  const user = { oidc: { issuer, clientId: "kubernetes", ...rest } };
  const server = new URL(issuer).origin;
  const connection = createClusterConnection({ origin: "test", server, user }, { clock, log });
  const who = async (): Promise<string | undefined> => {
    const response = await connection.fetch(new Request(`${connection.server}/who`));
    return ((await response.json()) as { authorization?: string }).authorization;
  };
  return { clock, connection, who };
}

describe("the auth-provider oidc (KCF-2)", () => {
  test("sends the ID token until shortly before its expiry, then a refreshed one", async () => {
    const [first, second] = [idToken("a", 3600), idToken("b", 7200)];
    const given = { id_token: second, refresh_token: "r2" };
    await using provider = await startProvider(() => given);
    const lines: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => void lines.push(message) };
    const config = { idToken: first, refreshToken: "r1" };
    const { clock, connection, who } = connect(provider.issuer, config, log);
    await using _ = connection;
    expect(await who()).toBe(`Bearer ${first}`);
    await clock.advance(3_589_000);
    expect(await who()).toBe(`Bearer ${first}`);
    await clock.advance(2000);
    const all = await Promise.all([who(), who(), who()]);
    expect(new Set(all)).toEqual(new Set([`Bearer ${second}`]));
    const form = { grant_type: "refresh_token", client_id: "kubernetes" };
    expect(provider.forms).toEqual([{ ...form, refresh_token: "r1", authorization: undefined }]);
    expect(lines.join()).toContain("has replaced the refresh token");
    await clock.advance(3_600_000);
    await who();
    expect(provider.forms[1]).toMatchObject({ refresh_token: "r2" });
  });

  test("sends the client secret in the way that the provider supports", async () => {
    const token = idToken("a", 60);
    await using provider = await startProvider(({ client_secret: secret }) =>
      secret === "s p/c" ? { id_token: token } : 401,
    );
    const config = { clientSecret: "s p/c", refreshToken: "r" };
    const { connection, who } = connect(provider.issuer, config);
    await using _ = connection;
    expect(await who()).toBe(`Bearer ${token}`);
    const [header, body] = provider.forms;
    expect(header?.["authorization"]).toBe(`Basic ${btoa("kubernetes:s+p%2Fc")}`);
    expect(body).toMatchObject({ client_id: "kubernetes", client_secret: "s p/c" });
  });

  test.each<[string, Partial<OidcConfig>, Answer, RegExp]>([
    ["no token", {}, () => ({}), /no refresh-token: sign in/],
    ["a text that is no token", { idToken: "hunter2hunter2" }, () => ({}), /no JSON Web Token/],
    ["a refusal", { refreshToken: "hunter2hunter2" }, () => 400, /\(400, invalid_client\)/],
    ["no new token", { refreshToken: "hunter2hunter2" }, () => ({}), /gave no id_token/],
    [
      "an answer without an end",
      { refreshToken: "hunter2hunter2" },
      () => ({ id_token: "x".repeat(2_000_000) }),
      /its answer has no end/,
    ],
  ])("fails with %s, and shows no credential (AUTH-2)", async (...[, config, answer, message]) => {
    await using provider = await startProvider(answer);
    const { connection, who } = connect(provider.issuer, config);
    await using _ = connection;
    const failure = await failureOf(who());
    const causes: string[] = [];
    for (let error = failure; error instanceof Error; error = error.cause) {
      causes.push(error.message);
    }
    expect(causes.join("\n")).toMatch(message);
    expect(causes.join("\n")).not.toContain("hunter2");
  });

  test("fails with the address of a provider that does not answer", async () => {
    const { connection, who } = connect("http://127.0.0.1:9/idp", { refreshToken: "r" });
    await using _ = connection;
    const failure = await failureOf(who());
    expect(String((failure as Error).cause)).toMatch(/127\.0\.0\.1:9\/idp: .*cannot be asked/);
  });
});
