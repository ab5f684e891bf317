/** A text in PEM form, or the path of a file with it, which is read again when it may have changed. */
export type PemSource = { readonly text: string } | { readonly file: string };

/** A program that prints credentials: `exec` of a user in a kubeconfig. */
export interface ExecConfig {
  /** Version of the protocol. */
  readonly apiVersion: string;
  /** Name of a program in the search path, or an absolute path. */
  readonly command: string;
  readonly args: readonly string[];
  /** Variables that are added to the environment of this program. */
  readonly env: Readonly<Record<string, string>>;
  /** What to tell people who do not have the program. */
  readonly installHint: string | undefined;
  /** What the program gets to know of the cluster; `undefined` if it does not ask for it. */
  readonly cluster: Readonly<Record<string, unknown>> | undefined;
  /** File with the authorities of the cluster, which the plugin gets to know with the cluster. */
  readonly clusterCaFile?: string | undefined;
}

/** OpenID Connect: the `auth-provider` named `oidc` of a user in a kubeconfig. */
export interface OidcConfig {
  /** Address of the identity provider, below which its endpoints are described. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Authorities of the identity provider. @default the roots of the runtime */
  readonly ca?: PemSource | undefined;
  /** Token that is sent to the API server until shortly before its end. */
  readonly idToken?: string | undefined;
  /** What the provider takes for a new token. */
  readonly refreshToken?: string | undefined;
}

/** Whom requests pretend to come from: `as` and its companions of a user in a kubeconfig. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
  readonly uid: string | undefined;
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The credentials of a user; all members may be missing: then requests are anonymous. */
export interface UserCredentials {
  readonly cert?: PemSource | undefined;
  readonly key?: PemSource | undefined;
  /** Opens `key`, if that is encrypted. */
  readonly passphrase?: string | undefined;
  readonly token?: string | undefined;
  /** Path of a file with a token, which is read once a minute; goes before `token`. */
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: ExecConfig | undefined;
  readonly oidc?: OidcConfig | undefined;
  readonly impersonate?: Impersonation | undefined;
}

/**
 * How to reach a cluster: a context of a kubeconfig with everything it names. Plain data; files are
 * named and not read.
 */
export interface ClusterConfig {
  /** Where this comes from, for messages: `kubeconfig ~/.kube/config, context "kind"`. */
  readonly origin: string;
  /** Base address of the API server. */
  readonly server: string;
  /** Namespace for programs that work in one. */
  readonly namespace?: string | undefined;
  /** Authorities to trust, and no other. @default the roots of the runtime */
  readonly ca?: PemSource | undefined;
  /** Name that the server's certificate must have. @default the host of `server` */
  readonly serverName?: string | undefined;
  /** Whether any certificate is taken. @default false */
  readonly insecureSkipVerify?: boolean | undefined;
  /** Address of a proxy. @default what the environment says */
  readonly proxy?: string | undefined;
  /** Whether the server may compress answers. @default true */
  readonly compression?: boolean | undefined;
  readonly user: UserCredentials;
}
