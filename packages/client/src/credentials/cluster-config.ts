import {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  aString,
  anObject,
  having,
  someStrings,
  oneOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** PEM data, or the path of a file with it, which is reread when it may have changed. */
export type PemSource =
  | {
      /** PEM data itself. */
      readonly text: string;
    }
  | {
      /** Path of a file with PEM data, relative to the working directory. */
      readonly file: string;
    };

/** A program that prints credentials: `exec` of a user in a kubeconfig. */
export interface ExecConfig {
  /** Version of the protocol, such as `client.authentication.k8s.io/v1`. */
  readonly apiVersion: string;
  /** Name of a program in the search path, or an absolute path. */
  readonly command: string;
  /** Arguments of the program, passed without a shell. */
  readonly args: readonly string[];
  /** Environment variables to add for this program. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Whether the program gets the terminal as its input, so that it can ask a person: never, if
   * there is one, or always, so that it fails without one.
   *
   * @default "IfAvailable"
   */
  readonly interactiveMode?: "Never" | "IfAvailable" | "Always" | undefined;
  /** Hint for people who do not have the program. */
  readonly installHint: string | undefined;
  /** Cluster information for the program; `undefined` if it does not request it. */
  readonly cluster: Readonly<Record<string, unknown>> | undefined;
  /**
   * File with the authorities of the cluster, which the plugin gets with the cluster information.
   *
   * @default none
   */
  readonly clusterCaFile?: string | undefined;
}

/** OpenID Connect: the `auth-provider` named `oidc` of a user in a kubeconfig. */
export interface OidcConfig {
  /** Address of the identity provider. Its endpoints are described below it. */
  readonly issuer: string;
  /** Id under which the program is registered at the identity provider. */
  readonly clientId: string;
  /** Secret of that registration; absent for public clients, which have none. @default none */
  readonly clientSecret?: string | undefined;
  /** Authorities of the identity provider. @default the roots of the runtime */
  readonly ca?: PemSource | undefined;
  /** Token for the API server, used until shortly before it expires. @default none */
  readonly idToken?: string | undefined;
  /** Token that the provider exchanges for a new one. @default none */
  readonly refreshToken?: string | undefined;
  /**
   * Place that keeps renewed tokens. `loadKubeconfig` sets it to the entry of the kubeconfig.
   *
   * @default the memory of the connection
   */
  readonly store?: OidcTokenStore | undefined;
}

/** Identity to impersonate: `as` and related fields of a user in a kubeconfig. */
export interface Impersonation {
  /** Name of the user to act as, sent as `Impersonate-User`. */
  readonly user: string;
  /** Groups of that user, sent as `Impersonate-Group`. Empty for none. */
  readonly groups: readonly string[];
  /** Uid of that user, sent as `Impersonate-Uid`; `undefined` if none is set. */
  readonly uid: string | undefined;
  /** Further attributes of that user, each sent as `Impersonate-Extra-NAME`. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Credentials of a user. All members are optional; without them requests are anonymous. */
export interface UserCredentials {
  /** Client certificate, sent with `key` during the TLS handshake. @default none */
  readonly cert?: PemSource | undefined;
  /** Private key of `cert`. @default none */
  readonly key?: PemSource | undefined;
  /** Decrypts `key`, if it is encrypted. @default none */
  readonly passphrase?: string | undefined;
  /** Bearer token. Takes precedence over `username` and `password`. @default none */
  readonly token?: string | undefined;
  /**
   * Path of a token file, which is reread once a minute; takes precedence over `token`.
   *
   * @default none
   */
  readonly tokenFile?: string | undefined;
  /** User name for basic authentication. @default none */
  readonly username?: string | undefined;
  /** Password for basic authentication. @default none */
  readonly password?: string | undefined;
  /**
   * Plugin that prints a token or a client certificate. Not run if `cert`, a token or a user name
   * is given, as in client-go.
   *
   * @default none
   */
  readonly exec?: ExecConfig | undefined;
  /** Login at an identity provider, whose id token is the bearer token. @default none */
  readonly oidc?: OidcConfig | undefined;
  /**
   * User to act as. The server checks that the authenticated user may impersonate it.
   *
   * @default none
   */
  readonly impersonate?: Impersonation | undefined;
}

/**
 * Access to a cluster: a context of a kubeconfig with everything it refers to. Plain data, except
 * for `user.oidc.store`; files are named, not read.
 */
export interface ClusterConfig {
  /** Origin of this configuration, for messages: `kubeconfig ~/.kube/config, context "kind"`. */
  readonly origin: string;
  /** Base address of the API server. */
  readonly server: string;
  /** Namespace for programs that work in one. @default none */
  readonly namespace?: string | undefined;
  /** Certificates of the only authorities to trust. @default the runtime's roots */
  readonly ca?: PemSource | undefined;
  /** Name that the server's certificate must contain. @default the host of `server` */
  readonly serverName?: string | undefined;
  /** Whether to accept any certificate. @default false */
  readonly insecureSkipVerify?: boolean | undefined;
  /**
   * Address of a proxy for all requests, such as `http://proxy:3128`.
   *
   * @default the environment's proxy
   */
  readonly proxy?: string | undefined;
  /** Whether the server may compress responses. @default true */
  readonly compression?: boolean | undefined;
  /** Credentials for all requests; `{}` for anonymous ones. */
  readonly user: UserCredentials;
}

/** Tokens of a user of an identity provider. */
export interface OidcTokenPair {
  /** Token that the API server accepts; `undefined` if none is stored. */
  readonly idToken: string | undefined;
  /** Token that the provider exchanges for a new pair; `undefined` if none is stored. */
  readonly refreshToken: string | undefined;
}

/** Place that keeps tokens for all programs of a user, such as an entry of a kubeconfig. */
export interface OidcTokenStore {
  /** Returns the current tokens, which another program may have renewed. */
  read(): Promise<OidcTokenPair>;
  /** Replaces the tokens. Undefined ones stay. */
  write(tokens: OidcTokenPair): Promise<void>;
  /**
   * Runs one renewal at a time in this process, because a refresh token may work only once.
   *
   * @param renewal reads, renews and writes the tokens
   */
  exclusively<T>(renewal: () => Promise<T>): Promise<T>;
}

const pemTable = { text: aString, file: aString };

/** Checks of {@link ClusterConfig}. */
export const clusterConfigTable: OptionsOf<ClusterConfig> = {
  origin: aString,
  server: aString,
  namespace: aString,
  ca: pemTable,
  serverName: aString,
  insecureSkipVerify: aBoolean,
  proxy: aString,
  compression: aBoolean,
  user: {
    cert: pemTable,
    key: pemTable,
    passphrase: aString,
    token: aString,
    tokenFile: aString,
    username: aString,
    password: aString,
    exec: {
      apiVersion: aString,
      command: aString,
      args: someStrings,
      env: anObject,
      interactiveMode: oneOf("Never", "IfAvailable", "Always"),
      installHint: aString,
      cluster: anObject,
      clusterCaFile: aString,
    } satisfies OptionsOf<ExecConfig>,
    oidc: {
      issuer: aString,
      clientId: aString,
      clientSecret: aString,
      ca: pemTable,
      idToken: aString,
      refreshToken: aString,
      store: having("read", "write", "exclusively"),
    } satisfies OptionsOf<OidcConfig>,
    impersonate: {
      user: aString,
      groups: someStrings,
      uid: aString,
      extra: anObject,
    } satisfies OptionsOf<Impersonation>,
  } satisfies OptionsOf<UserCredentials>,
};

/** Members of a {@link ClusterConfig} that must be given, if the group that they are in is. */
export const requiredConfig: readonly string[] = [
  "origin",
  "server",
  "user",
  "user.exec.apiVersion",
  "user.exec.command",
  "user.exec.args",
  "user.exec.env",
  "user.oidc.issuer",
  "user.oidc.clientId",
  "user.impersonate.user",
  "user.impersonate.groups",
  "user.impersonate.extra",
];

/** Checks of the options of a connection to a cluster, for all functions that make one. */
export const clusterConnectionTable: OptionsOf<
  Record<
    | "clock"
    | "execTimeoutMs"
    | "http2"
    | "log"
    | "metrics"
    | "namespace"
    | "onExecStderr"
    | "program"
    | "refreshTokens"
    | "sendCredentialsOverHttp",
    unknown
  >
> = {
  namespace: aString,
  program: aString,
  execTimeoutMs: aNumber(1),
  onExecStderr: aFunction,
  refreshTokens: oneOf("write", "warn"),
  sendCredentialsOverHttp: aBoolean,
  http2: aBoolean,
  log: aLog,
  metrics: aMetricsSink,
  clock: aClock,
};
