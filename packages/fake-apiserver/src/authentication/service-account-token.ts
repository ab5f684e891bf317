import {
  type Clock,
  inRealTime,
  isRecord,
  type JsonObject,
  type Random,
} from "@listwatch/core-fifo/base";
import { decodeBase64Url, encodeBase64Url } from "../base/bytes.ts";
import { randomUuid } from "../base/random-text.ts";
import { count, text, texts } from "../base/read-fields.ts";

/** Issuer of all tokens, and their audience if a request names none. */
export const defaultAudience = "https://kubernetes.default.svc";

/** The issuer's configuration for the server at an origin (OpenID Discovery). */
export function issuerConfiguration(origin: string): JsonObject {
  return {
    issuer: defaultAudience,
    jwks_uri: `${origin}/openid/v1/jwks`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [algorithmName],
  };
}

/** The private claims of Kubernetes, pkg/serviceaccount/claims.go. */
const privateClaims = "kubernetes.io";
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
// RFC 7518 §3.1: the name of ECDSA with P-256 and SHA-256 in a token.
const algorithmName = "ES256";
const utf8 = new TextEncoder();

/** Name and uid of an object that a token refers to. */
export interface TokenObject {
  readonly name: string;
  readonly uid: string;
}

/** The object a token is bound to; without it the token is invalid. */
export interface BoundObject extends TokenObject {
  readonly kind: "Node" | "Pod" | "Secret";
}

/** Claims of a service account token. */
export interface ServiceAccountClaims {
  readonly namespace: string;
  readonly serviceAccount: TokenObject;
  readonly boundObject: BoundObject | undefined;
  readonly audiences: readonly string[];
  readonly hasExpired: boolean;
  /** Id of the token. */
  readonly id: string;
}

/** Options of a new token. */
export interface TokenRequest extends Pick<
  ServiceAccountClaims,
  "namespace" | "serviceAccount" | "boundObject" | "audiences"
> {
  readonly expirationSeconds: number;
}

/** A signed token. */
export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/**
 * Issues and verifies service account tokens: JSON Web Tokens. The key pair is generated with the
 * first token and never leaves this server.
 */
export class ServiceAccountTokens {
  readonly #clock: Clock;
  readonly #random: Random;
  #key: Promise<CryptoKeyPair> | undefined;

  /** @param random creates token ids */
  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  async issue(request: TokenRequest): Promise<IssuedToken> {
    const { audiences, boundObject, expirationSeconds, namespace, serviceAccount } = request;
    const now = Math.floor(this.#clock.now() / 1000);
    const exp = now + expirationSeconds;
    const bound =
      boundObject === undefined
        ? {}
        : { [boundObject.kind.toLowerCase()]: { name: boundObject.name, uid: boundObject.uid } };
    const claims = {
      aud: audiences,
      exp,
      iat: now,
      iss: defaultAudience,
      jti: randomUuid(this.#random),
      [privateClaims]: {
        namespace,
        ...bound,
        serviceaccount: { name: serviceAccount.name, uid: serviceAccount.uid },
      },
      nbf: now,
      sub: `system:serviceaccount:${namespace}:${serviceAccount.name}`,
    };
    return { token: await this.#sign(claims), expiresAtMs: exp * 1000 };
  }

  /**
   * Returns the claims of a token; undefined if this server did not issue it. The caller checks
   * that the account and the bound object still exist.
   */
  async verify(token: string): Promise<ServiceAccountClaims | undefined> {
    const claims = await this.#read(token);
    if (claims === undefined) return undefined;
    return {
      namespace: text(claims, privateClaims, "namespace"),
      serviceAccount: tokenObject(claims, "serviceaccount"),
      boundObject: boundObjectOf(claims),
      audiences: texts(claims, "aud"),
      hasExpired: this.#clock.now() >= count(claims, "exp") * 1000,
      id: text(claims, "jti"),
    };
  }

  /** Returns the public keys that verify this server's tokens (RFC 7517). */
  async publicKeys(): Promise<JsonObject> {
    const { publicKey } = await this.#keys();
    const { crv, kty, x, y } = await inRealTime(crypto.subtle.exportKey("jwk", publicKey));
    const kid = await keyId(publicKey);
    return { keys: [{ use: "sig", kty, kid, crv, alg: algorithmName, x, y }] };
  }

  async #sign(claims: JsonObject): Promise<string> {
    const { privateKey, publicKey } = await this.#keys();
    const kid = await keyId(publicKey);
    const content = `${encodeJson({ alg: algorithmName, kid })}.${encodeJson(claims)}`;
    const signature = await inRealTime(
      crypto.subtle.sign(algorithm, privateKey, utf8.encode(content)),
    );
    return `${content}.${encodeBase64Url(new Uint8Array(signature))}`;
  }

  async #read(token: string): Promise<JsonObject | undefined> {
    const [header = "", payload = "", signature, ...more] = token.split(".");
    // Before the first token there is no key to verify with.
    if (signature === undefined || more.length > 0 || this.#key === undefined) return undefined;
    const { publicKey } = await this.#key;
    const content = utf8.encode(`${header}.${payload}`);
    try {
      const signed = decodeBase64Url(signature);
      const isOurs = await inRealTime(crypto.subtle.verify(algorithm, publicKey, signed, content));
      if (!isOurs) return undefined;
      const claims: unknown = JSON.parse(new TextDecoder().decode(decodeBase64Url(payload)));
      return isRecord(claims) ? claims : undefined;
    } catch {
      // The signature is not base64url.
      return undefined;
    }
  }

  #keys(): Promise<CryptoKeyPair> {
    this.#key ??= inRealTime(crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]));
    return this.#key;
  }
}

// The hash of the public key, like the real server: pkg/serviceaccount/jwt.go.
async function keyId(key: CryptoKey): Promise<string> {
  const encoded = await inRealTime(crypto.subtle.exportKey("spki", key));
  return encodeBase64Url(
    new Uint8Array(await inRealTime(crypto.subtle.digest("SHA-256", encoded))),
  );
}

function encodeJson(value: JsonObject): string {
  return encodeBase64Url(utf8.encode(JSON.stringify(value)));
}

function tokenObject(claims: JsonObject, member: string): TokenObject {
  return {
    name: text(claims, privateClaims, member, "name"),
    uid: text(claims, privateClaims, member, "uid"),
  };
}

function boundObjectOf(claims: JsonObject): BoundObject | undefined {
  for (const kind of ["Pod", "Secret", "Node"] as const) {
    const object = tokenObject(claims, kind.toLowerCase());
    if (object.name !== "") return { kind, ...object };
  }
  return undefined;
}
