import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";

/** Creates an ID token that expires after some seconds. */
export function idToken(seconds: number, subject = "a"): string {
  const exp = Math.floor(Date.now() / 1000) + seconds;
  const encode = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString("base64url");
  return [encode({ alg: "none" }), encode({ sub: subject, exp }), "c2ln"].join(".");
}

/** An identity provider whose refresh tokens `r0`, `r1`, … work once, and an API server. */
export interface OneUseProvider extends AsyncDisposable {
  readonly address: string;
  /** Number of renewals, which is that of the current refresh token. */
  readonly renewals: number;
  /** The ID token of the last renewal. */
  readonly token: string;
  /** Accepts an ID token at the API server. */
  accept(token: string): void;
}

export async function startOneUseProvider(): Promise<OneUseProvider> {
  const accepted = new Set<string>();
  let renewals = 0;
  let token = "";
  const answer = async (url: string, body: string, authorization: string) => {
    if (url.includes("openid-configuration")) return { token_endpoint: `${address}/token` };
    if (url !== "/token") return accepted.has(authorization.replace("Bearer ", "")) ? {} : 401;
    if (new URLSearchParams(body).get("refresh_token") !== `r${renewals}`) return 400;
    renewals++;
    token = idToken(3600, `renewal-${renewals}`);
    accepted.add(token);
    return { id_token: token, refresh_token: `r${renewals}` };
  };
  const server = createServer((request, response) => {
    void (async () => {
      const { authorization = "" } = request.headers;
      const given = await answer(request.url ?? "", await textOf(request), authorization);
      response.statusCode = typeof given === "number" ? given : 200;
      response.end(JSON.stringify(typeof given === "number" ? { error: "invalid_grant" } : given));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    address,
    get renewals() {
      return renewals;
    },
    get token() {
      return token;
    },
    accept: (accepting) => void accepted.add(accepting),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
