/** Tokens of a user of an identity provider. */
export interface OidcTokenPair {
  readonly idToken: string | undefined;
  readonly refreshToken: string | undefined;
}

/** Place that keeps tokens for all programs of a user, such as an entry of a kubeconfig. */
export interface OidcTokenStore {
  /** Returns the current tokens, which another program may have renewed. */
  read(): Promise<OidcTokenPair>;
  /** Replaces the tokens. Undefined ones stay. */
  write(tokens: OidcTokenPair): Promise<void>;
  /** Runs one renewal at a time in this process, because a refresh token may work only once. */
  exclusively<T>(renewal: () => Promise<T>): Promise<T>;
}
