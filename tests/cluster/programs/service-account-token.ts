import { sign } from "node:crypto";

/** A service account, and the issuer of its tokens. */
export interface TokenSubject {
  readonly issuer: string;
  /** The issuer's private key, P-256, as PEM. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** kube-apiserver accepts a token for a minute after its expiry: go-jose, `jwt.DefaultLeeway`. */
const leewaySeconds = 60;
const day = 86_400;

/**
 * Signs a token like the API server, but for a few seconds only; the server issues none for less
 * than ten minutes. It caches an accepted token for up to ten more seconds.
 */
export function signToken(subject: TokenSubject, seconds: number): string {
  const { issuer, key, name, namespace, uid } = subject;
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: [issuer],
    sub: `system:serviceaccount:${namespace}:${name}`,
    iat: now - day,
    nbf: now - day,
    exp: now + seconds - leewaySeconds,
    "kubernetes.io": { namespace, serviceaccount: { name, uid } },
  };
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const text = `${encode({ alg: "ES256", typ: "JWT" })}.${encode(claims)}`;
  const options = { key, dsaEncoding: "ieee-p1363" } as const;
  return `${text}.${sign("sha256", Buffer.from(text), options).toString("base64url")}`;
}
