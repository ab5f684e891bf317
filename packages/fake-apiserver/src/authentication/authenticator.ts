import type { UserSettings, UserInfo } from "../api/access.ts";
import { field } from "../base/read-fields.ts";
import { unauthorized } from "../api/errors.ts";
import { storageKey } from "../storage/stored-object.ts";
import type { Storage } from "../storage/storage.ts";
import { certificateOf, userOfCertificate } from "./client-certificate.ts";
import {
  defaultAudience,
  type ServiceAccountClaims,
  type ServiceAccountTokens,
} from "./service-account-token.ts";
import { anonymousUser, authenticated, clusterAdmin, userOfAccount } from "./user-info.ts";

/** Options of {@link Authenticator}. */
export interface AuthenticatorOptions {
  /** Users by token; undefined: every request is from the administrator. */
  readonly users: ReadonlyMap<string, UserSettings> | undefined;
  /** Whether requests without credentials are anonymous instead of refused. */
  readonly allowsAnonymous: boolean;
  readonly tokens: ServiceAccountTokens;
  /** Contains the service accounts and the objects that tokens are bound to. */
  readonly storage: Pick<Storage, "store">;
}

/** A valid token. */
export interface AcceptedToken {
  readonly user: UserInfo;
  /** Requested audiences that the token is valid for. */
  readonly audiences: readonly string[];
}

/** Identifies the sender of a request by client certificate, token or neither. */
export class Authenticator {
  readonly #users: ReadonlyMap<string, UserSettings> | undefined;
  readonly #allowsAnonymous: boolean;
  readonly #tokens: ServiceAccountTokens;
  readonly #storage: Pick<Storage, "store">;

  constructor({ allowsAnonymous, storage, tokens, users }: AuthenticatorOptions) {
    this.#users = users;
    this.#allowsAnonymous = allowsAnonymous;
    this.#tokens = tokens;
    this.#storage = storage;
  }

  /**
   * Returns the sender of a request. Returns a promise only if a token has to be verified.
   *
   * @throws {ApiError} 401, synchronously or as a rejection
   */
  authenticate(request: Request): UserInfo | Promise<UserInfo> {
    const certificate = certificateOf(request);
    if (certificate !== undefined) return userOfCertificate(certificate);
    const token = bearerToken(request);
    if (token !== undefined) return this.#userOfToken(token);
    if (this.#users === undefined) return clusterAdmin;
    if (this.#allowsAnonymous) return anonymousUser;
    throw unauthorized();
  }

  /**
   * Returns the user of a token; undefined if the token is not valid.
   *
   * @param audiences the token must be valid for one of them; empty: for this server
   */
  async review(token: string, audiences: readonly string[]): Promise<AcceptedToken | undefined> {
    const wanted = audiences.length === 0 ? [defaultAudience] : audiences;
    const known = this.#users?.get(token);
    if (known !== undefined) return { user: userOfSettings(known), audiences: wanted };
    const claims = await this.#tokens.verify(token);
    if (claims === undefined || claims.hasExpired || !this.#isBacked(claims)) return undefined;
    const shared = wanted.filter((audience) => claims.audiences.includes(audience));
    return shared.length === 0 ? undefined : { user: userOfAccount(claims), audiences: shared };
  }

  async #userOfToken(token: string): Promise<UserInfo> {
    const accepted = await this.review(token, []);
    if (accepted !== undefined) return accepted.user;
    // An invalid token of this server is refused; any other string is the administrator's.
    const isOpen = this.#users === undefined && (await this.#tokens.verify(token)) === undefined;
    if (isOpen) return clusterAdmin;
    throw unauthorized();
  }

  /** Whether the token's service account and bound object exist. */
  #isBacked({ boundObject, namespace, serviceAccount }: ServiceAccountClaims): boolean {
    const isThere = (resource: string, place: string, name: string, uid: string): boolean => {
      const stored = this.#storage.store(resource).get(storageKey(place, name));
      return field(stored?.object, "metadata", "uid") === uid;
    };
    if (!isThere("serviceaccounts", namespace, serviceAccount.name, serviceAccount.uid)) {
      return false;
    }
    if (boundObject === undefined) return true;
    const { kind, name, uid } = boundObject;
    return isThere(`${kind.toLowerCase()}s`, kind === "Node" ? "" : namespace, name, uid);
  }
}

function bearerToken(request: Request): string | undefined {
  const [scheme = "", token = ""] = (request.headers.get("authorization") ?? "").split(" ");
  return scheme.toLowerCase() === "bearer" && token !== "" ? token : undefined;
}

function userOfSettings({ groups = [], ...user }: UserSettings): UserInfo {
  return authenticated({ ...user, groups });
}
