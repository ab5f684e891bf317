import { describeError, isRecord, type Clock, type Log } from "@listwatch/core-fifo/base";
import { ConfigError } from "../errors/errors.ts";
import { basicAuthorization } from "../transport/basic-authorization.ts";
import type { OidcConfig, OidcTokenPair, OidcTokenStore } from "./cluster-config.ts";
import { pemReader } from "./node-pem.ts";
import { nodeTransport } from "../transport/node-transport.ts";

/**
 * Time before its expiry at which a token is renewed, in milliseconds: client-go, oidc,
 * `expiryDelta`.
 */
const renewBeforeMs = 10_000;
/** Shortest time from the end of a renewal to the next one, in milliseconds. */
const renewalPauseMs = 2000;
/** Time limit for a response of the identity provider, in milliseconds. */
const answerLimitMs = 30_000;
/** Maximum size of a response, in bytes. Tokens with many groups have some thousands. */
const maxAnswerLength = 1_000_000;

/** Options of {@link OidcTokens}. */
export interface OidcOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Whether renewed tokens are written to their store. @default "write" */
  readonly refreshTokens?: "write" | "warn" | undefined;
}

/**
 * ID tokens of an OpenID Connect user, like client-go's plugin `oidc`: the token of the kubeconfig
 * until shortly before it expires, then tokens for the refresh token. One renewal serves all
 * waiting requests. Renewed tokens are written to the kubeconfig, because many providers accept a
 * refresh token only once. Tokens that another program has written there are used first.
 */
export class OidcTokens {
  readonly #config: OidcConfig;
  readonly #options: OidcOptions;
  #token: string | undefined;
  #refreshToken: string | undefined;
  #renewing: Promise<string> | undefined;
  #lastRenewalMs = -Infinity;

  constructor(config: OidcConfig, options: OidcOptions) {
    this.#config = config;
    this.#options = options;
    this.#token = config.idToken;
    this.#refreshToken = config.refreshToken;
  }

  /**
   * Returns the current token.
   *
   * @param isRefused whether the server has answered 401 to a token
   * @throws {ConfigError} if there is no valid token, and none can be obtained
   */
  async get(isRefused: (token: string) => boolean = () => false): Promise<string> {
    const { clock } = this.#options;
    const token = this.#token;
    if (token !== undefined) {
      // Do not ask a provider in a loop if its tokens are refused or already expired.
      if (clock.now() - this.#lastRenewalMs < renewalPauseMs) return token;
      const isOver = endOf(token) - renewBeforeMs <= clock.now();
      const canRenew = this.#refreshToken !== undefined;
      if (!isOver && !(canRenew && isRefused(token))) return token;
    }
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = undefined));
    return this.#renewing;
  }

  #renew(): Promise<string> {
    const { store } = this.#config;
    if (store === undefined) return this.#exchangeToken();
    return store.exclusively(async () => {
      if (await this.#adopt(store)) return this.#token ?? "";
      const used = this.#refreshToken;
      try {
        return await this.#exchangeToken(store);
      } catch (error) {
        // Another program may have used the refresh token at the same time.
        const isRenewed = await this.#adopt(store);
        if (isRenewed) return this.#token ?? "";
        if (this.#refreshToken === used) throw error;
        return this.#exchangeToken(store);
      }
    });
  }

  /**
   * Takes the tokens of the store, which another program may have renewed.
   *
   * @returns whether its ID token is a new one that is valid
   */
  async #adopt(store: OidcTokenStore): Promise<boolean> {
    const { clock } = this.#options;
    // Without the kubeconfig, the tokens of this connection still work.
    const stored = await store.read().catch(() => undefined);
    if (stored === undefined) return false;
    this.#refreshToken = stored.refreshToken ?? this.#refreshToken;
    const { idToken } = stored;
    if (idToken === undefined || idToken === this.#token) return false;
    if ((endOfIdToken(idToken) ?? 0) - renewBeforeMs <= clock.now()) return false;
    this.#token = idToken;
    this.#lastRenewalMs = clock.now();
    return true;
  }

  async #exchangeToken(store?: OidcTokenStore): Promise<string> {
    const used = this.#refreshToken;
    if (used === undefined) {
      throw this.#fail("its ID token is missing or over, and there is no refresh-token: sign in");
    }
    const answer = await this.#ask(used);
    const { id_token: token, refresh_token: given } = answer;
    if (typeof token !== "string" || token === "") {
      throw this.#fail(
        "the identity provider gave no id_token: either the scope openid was not asked for at " +
          "sign-in, or it gives none for a refresh token",
      );
    }
    endOf(token);
    const refreshToken = typeof given === "string" && given !== "" ? given : used;
    this.#token = token;
    this.#refreshToken = refreshToken;
    this.#lastRenewalMs = this.#options.clock.now();
    await this.#keep({ idToken: token, refreshToken }, used, store);
    return token;
  }

  /** Writes the tokens to the store, or warns that the refresh token there is used up. */
  async #keep(tokens: OidcTokenPair, used: string, store?: OidcTokenStore): Promise<void> {
    const { log, refreshTokens = "write" } = this.#options;
    let reason = "";
    try {
      if (store !== undefined && refreshTokens === "write") return await store.write(tokens);
    } catch (error) {
      reason = ` and cannot be written: ${describeError(error)}`;
    }
    // The former refresh token can be used again.
    if (tokens.refreshToken === used) return;
    const text = "The identity provider has replaced the refresh token of the kubeconfig";
    log.warn(`${text}, which still has the old one${reason}: kubectl may ask to sign in again`, {});
  }

  /** Requests new tokens from the endpoint of the provider: RFC 6749 §6. */
  async #ask(refreshToken: string): Promise<Readonly<Record<string, unknown>>> {
    const { ca } = this.#config;
    const authority = ca && pemReader(ca, this.#options);
    const transport = nodeTransport({ tls: async () => ({ ca: await authority?.() }) });
    try {
      return await this.#exchange(refreshToken, (url, init) => this.#send(transport, url, init));
    } finally {
      await transport[Symbol.asyncDispose]();
    }
  }

  async #exchange(
    refreshToken: string,
    send: (url: string, init?: RequestInit) => Promise<Answer>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { clientId, clientSecret, issuer } = this.#config;
    const described = await send(`${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`);
    const endpoint = described.members["token_endpoint"];
    if (!described.ok || typeof endpoint !== "string" || !isAsSafe(endpoint, issuer)) {
      throw this.#fail(`${issuer} names no usable token_endpoint (${described.status})`);
    }
    const form = { grant_type: "refresh_token", refresh_token: refreshToken };
    const inBody = { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
    // Providers expect the secret in one of two places.
    const attempts =
      clientSecret === undefined
        ? [post({ ...form, ...inBody })]
        : [post(form, basic(clientId, clientSecret)), post({ ...form, ...inBody })];
    let answer: Answer | undefined;
    for (const attempt of attempts) {
      answer = await send(endpoint, attempt);
      if (answer.ok) return answer.members;
    }
    const code = answer?.members["error"];
    const said = typeof code === "string" && /^[\w.-]{1,60}$/.test(code) ? `, ${code}` : "";
    throw this.#fail(`the identity provider refused to renew it (${answer?.status}${said})`);
  }

  async #send(
    transport: (request: Request) => Promise<Response>,
    url: string,
    init?: RequestInit,
  ): Promise<Answer> {
    const signal = AbortSignal.timeout(answerLimitMs);
    try {
      const request = new Request(url, { ...init, redirect: "manual", signal });
      const response = await transport(request);
      const members = parseObject(await textWithin(response, maxAnswerLength));
      return { ok: response.ok, status: response.status, members };
    } catch (error) {
      throw this.#fail(`the identity provider cannot be asked: ${describeError(error)}`);
    }
  }

  #fail(reason: string): ConfigError {
    return new ConfigError(
      `Cannot use the auth-provider oidc of ${this.#config.issuer}: ${reason}`,
    );
  }
}

interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly members: Readonly<Record<string, unknown>>;
}

/** @throws {ConfigError} without the token */
function endOf(token: string): number {
  const end = endOfIdToken(token);
  if (end !== undefined) return end;
  throw new ConfigError("Cannot use the auth-provider oidc: its id-token is no JSON Web Token");
}

/** A response over TLS must not lead to an address without TLS. */
function isAsSafe(endpoint: string, issuer: string): boolean {
  const protocol = URL.parse(endpoint)?.protocol;
  return protocol === "https:" || (protocol === "http:" && issuer.startsWith("http:"));
}

function post(form: Readonly<Record<string, string>>, authorization?: string): RequestInit {
  return {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: {
      accept: "application/json",
      "content-type": "application/x-www-form-urlencoded",
      ...(authorization === undefined ? {} : { authorization }),
    },
  };
}

/** RFC 6749 §2.3.1: both parts are form-encoded. */
function basic(clientId: string, clientSecret: string): string {
  const encode = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);
  return basicAuthorization(encode(clientId), encode(clientSecret));
}

/** @throws {Error} as soon as the body exceeds this length */
async function textWithin({ body }: Response, maxLength: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  // Leaving the loop cancels the body.
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > maxLength) throw new Error("its answer has no end");
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/**
 * Returns the expiry of an ID token, in milliseconds since 1970: the claim `exp` of a JSON Web
 * Token (RFC 7519 §4.1.4). `undefined` if the string is not such a token.
 */
function endOfIdToken(token: string): number | undefined {
  const parts = token.split(".");
  if (parts.length !== 3) return undefined;
  try {
    const text = atob((parts[1] ?? "").replaceAll("-", "+").replaceAll("_", "/"));
    const claims: unknown = JSON.parse(text);
    const end = isRecord(claims) ? claims["exp"] : undefined;
    return typeof end === "number" && Number.isFinite(end) ? end * 1000 : undefined;
  } catch {
    return undefined;
  }
}
