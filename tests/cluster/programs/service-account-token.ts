import { sign } from "node:crypto";

/** A service account, and who signs its tokens. */
export interface TokenSubject {
  readonly issuer: string;
  /** The private key of the issuer, P-256, as PEM. */
  readonly key: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** kube-apiserver takes a token for a minute after its end: go-jose, `jwt.DefaultLeeway`. */
const leewaySeconds = 60;
const day = 86_400;

/**
 * Signs a token as the API server does, but one that it takes for some seconds only; by itself it
 * makes none for less than ten minutes. What it has seen it takes for up to ten seconds more.
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
