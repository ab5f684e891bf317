import { recordOf } from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";
import type { WriteOptions } from "./request-options.ts";

/** Options of a token of a service account. */
export interface TokenOptions extends WriteOptions {
  /** For whom the token is: those that check it name one of these. @default the API server's own */
  readonly audiences?: readonly string[] | undefined;
  /**
   * Life of the token, in seconds, of at least 600; the server may shorten it.
   *
   * @default 3600, the server's own
   */
  readonly expirationSeconds?: number | undefined;
  /** The Pod, Secret or Node with whose end the token ends too. @default none */
  readonly boundObjectRef?: TokenBinding | undefined;
}

/** An object that a token is bound to. */
export interface TokenBinding {
  readonly apiVersion?: string | undefined;
  readonly kind: "Pod" | "Secret" | "Node";
  readonly name: string;
  readonly uid?: string | undefined;
}

/** A token of a service account. */
export interface IssuedToken {
  /** A credential, for `Authorization: Bearer …`. */
  readonly token: string;
  /** When the token ends, as the server says it, in RFC 3339. */
  readonly expirationTimestamp: string;
}

/** The body that asks for a token. */
export function tokenRequest(options: TokenOptions): object {
  const { audiences = [], expirationSeconds, boundObjectRef } = options;
  return {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { audiences, expirationSeconds, boundObjectRef },
  };
}

/**
 * Reads the answer.
 *
 * @throws {DecodeError} that does not show it, if there is no token in it
 */
export function readToken(answer: unknown): IssuedToken {
  const { token, expirationTimestamp } = recordOf(recordOf(answer)["status"]);
  if (typeof token === "string" && typeof expirationTimestamp === "string") {
    return { token, expirationTimestamp };
  }
  throw new DecodeError("a TokenRequest with status.token and its end", 0, "another object");
}
