import { field } from "../base/read-fields.ts";
import { unauthorized } from "../api/errors.ts";
import { storageKey } from "../storage/stored-object.ts";
import type { Storage } from "../storage/storage.ts";
import { certificateOf, type ClientCertificate } from "./client-certificate.ts";
import {
  defaultAudience,
  type ServiceAccountClaims,
  type ServiceAccountTokens,
} from "./service-account-token.ts";
import {
  anonymousUser,
  authenticated,
  clusterAdmin,
  userOfAccount,
  type UserInfo,
} from "./user-info.ts";

/** A user of a server. */
export interface UserSettings {
  readonly username: string;
  /** `system:authenticated` is added. @default none */
  readonly groups?: readonly string[] | undefined;
  /** @default none */
  readonly uid?: string | undefined;
  /** What else is known of the user. @default nothing */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What an {@link Authenticator} knows users by. */
export interface AuthenticatorOptions {
  /** Users by their tokens; undefined = every request is from the administrator. */
  readonly users: ReadonlyMap<string, UserSettings> | undefined;
  /** Whether requests without credentials are from an anonymous user, or refused. */
  readonly allowsAnonymous: boolean;
  readonly tokens: ServiceAccountTokens;
  /** Where the accounts and the objects that tokens are bound to are. */
  readonly storage: Pick<Storage, "store">;
}

/** A token that was found to be good. */
export interface AcceptedToken {
  readonly user: UserInfo;
  /** For whom it is, of those that were asked for. */
  readonly audiences: readonly string[];
}

/** Finds out who sends a request: by client certificate, token, or neither. */
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
   * Who sends a request. A promise only if a token has to be read.
   *
   * @throws {ApiError} 401, or rejects with it
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
   * Whom a token stands for; undefined if it is not good.
   *
   * @param audiences for whom it has to be, at least for one of them; empty = for this server
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
    // An own token that is no longer good stands for nothing, other texts are anything.
    const isOpen = this.#users === undefined && (await this.#tokens.verify(token)) === undefined;
    if (isOpen) return clusterAdmin;
    throw unauthorized();
  }

  /** Whether the account of a token and the object that it is bound to exist. */
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

function userOfCertificate({
  commonName,
  fingerprint,
  organizations,
}: ClientCertificate): UserInfo {
  return authenticated({
    username: commonName,
    groups: organizations,
    extra: { "authentication.kubernetes.io/credential-id": [`X509SHA256=${fingerprint}`] },
  });
}

function userOfSettings({ groups = [], ...user }: UserSettings): UserInfo {
  return authenticated({ ...user, groups });
}
