import {
  recordOf,
  anInteger,
  aString,
  oneOf,
  someStrings,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";
import { writeTable, type WriteOptions } from "./request-options.ts";

/** Options of a token of a service account. */
export interface TokenOptions extends WriteOptions {
  /** Intended recipients of the token. @default the API server */
  readonly audiences?: readonly string[] | undefined;
  /**
   * Lifetime of the token, in seconds, at least 600. The server may shorten it.
   *
   * @default 3600, by the server
   */
  readonly expirationSeconds?: number | undefined;
  /** Pod, Secret or Node whose deletion invalidates the token. @default none */
  readonly boundObjectRef?: TokenBinding | undefined;
}

/** An object that a token is bound to. */
export interface TokenBinding {
  /** Version of the object: always `v1` for these kinds. @default "v1", by the server */
  readonly apiVersion?: string | undefined;
  /** Kind of the object. The token is valid as long as that object exists. */
  readonly kind: "Pod" | "Secret" | "Node";
  /** Name of the object, in the namespace of the service account; a node has none. */
  readonly name: string;
  /**
   * Uid of the object. Another object of the same name is refused.
   *
   * @default the uid of the current object
   */
  readonly uid?: string | undefined;
}

/** Checks of {@link TokenOptions}. */
export const tokenTable: OptionsOf<TokenOptions> = {
  ...writeTable,
  audiences: someStrings,
  expirationSeconds: anInteger(0),
  boundObjectRef: {
    apiVersion: aString,
    kind: oneOf("Pod", "Secret", "Node"),
    name: aString,
    uid: aString,
  },
};

/** A token of a service account. */
export interface IssuedToken {
  /** A credential, for `Authorization: Bearer …`. */
  readonly token: string;
  /** Expiry time as sent by the server, in RFC 3339. */
  readonly expirationTimestamp: string;
}

/** Returns the body of a token request. */
export function tokenRequest(options: TokenOptions): object {
  const { audiences = [], expirationSeconds, boundObjectRef } = options;
  return {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { audiences, expirationSeconds, boundObjectRef },
  };
}

/**
 * Reads the response.
 *
 * @throws {DecodeError} if it contains no token; the error does not show the response
 */
export function readToken(answer: unknown): IssuedToken {
  const { token, expirationTimestamp } = recordOf(recordOf(answer)["status"]);
  if (typeof token === "string" && typeof expirationTimestamp === "string") {
    return { token, expirationTimestamp };
  }
  throw new DecodeError("a TokenRequest with status.token and its end", 0, "another object");
}
