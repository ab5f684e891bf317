import { basicAuthorization, utf8Characters } from "../transport/basic-authorization.ts";
import type { Clock, Log, MetricsSink } from "@listwatch/core-fifo/base";
import type { HeadersContext } from "../http/headers.ts";
import type { ClusterConfig, Impersonation, UserCredentials } from "./cluster-config.ts";
import { ExecPlugin } from "./node-exec-plugin.ts";
import { OidcTokens } from "./node-oidc-tokens.ts";
import { pairReader, pemReader, type PairReader, type PemReader } from "./node-pem.ts";
import { RereadFiles } from "./node-reread-files.ts";
import type { TlsOptions } from "../transport/tls-options.ts";

type HeaderField = readonly [name: string, value: string];

/** Options of {@link Credentials}. */
export interface CredentialsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly execTimeoutMs?: number | undefined;
  readonly onExecStderr?: ((text: string) => void) | undefined;
  readonly refreshTokens?: "write" | "warn" | undefined;
  readonly metrics?: MetricsSink | undefined;
}

/** Credentials of a configuration, renewed while a program runs: headers and certificates. */
export class Credentials {
  readonly #config: ClusterConfig;
  readonly #plugin: ExecPlugin | undefined;
  readonly #oidc: OidcTokens | undefined;
  readonly #token: RereadFiles | undefined;
  readonly #ca: PemReader | undefined;
  readonly #pair: PairReader | undefined;
  #certificate: string | undefined;

  constructor(config: ClusterConfig, options: CredentialsOptions) {
    const { user } = config;
    this.#config = config;
    if (user.exec !== undefined && !hasOtherCredentials(user)) {
      this.#plugin = new ExecPlugin(user.exec, {
        clock: options.clock,
        timeoutMs: options.execTimeoutMs,
        onStderr: options.onExecStderr,
        metrics: options.metrics,
      });
    }
    if (user.oidc !== undefined) this.#oidc = new OidcTokens(user.oidc, options);
    if (user.tokenFile !== undefined) {
      this.#token = new RereadFiles([user.tokenFile], ([text = ""]) => text.trim() !== "", options);
    }
    if (config.ca !== undefined) this.#ca = pemReader(config.ca, options);
    if (user.cert !== undefined && user.key !== undefined) {
      this.#pair = pairReader(user.cert, user.key, user.passphrase, options);
    }
  }

  /** The client certificate that was last given to a connection. */
  get certificate(): string | undefined {
    return this.#certificate;
  }

  /** Ends an exec plugin that is running. */
  close(): void {
    this.#plugin?.close();
  }

  /** Returns the headers of a request. */
  async headers({ refresh, refused }: HeadersContext): Promise<readonly HeaderField[]> {
    const authorization = await this.#authorization(refresh, refused?.get("authorization"));
    // The server may have refused a client certificate whose file has been replaced.
    if (refresh) await this.tls(true);
    const { impersonate } = this.#config.user;
    // Not `Headers`, whose errors quote a token that cannot be sent.
    return [
      ...(authorization === undefined ? [] : [["authorization", authorization] as const]),
      ...(impersonate === undefined ? [] : impersonationFields(impersonate)),
    ];
  }

  /** Returns the certificates for a connection. With `isRefresh`, a pair of files is reread. */
  async tls(isRefresh = false): Promise<TlsOptions> {
    const { serverName, insecureSkipVerify, user } = this.#config;
    const ca = await this.#ca?.();
    const [cert, key] = (await this.#pair?.(isRefresh)) ?? (await this.#pluginPair()) ?? [];
    this.#certificate = cert;
    return { ca, cert, key, passphrase: user.passphrase, serverName, insecureSkipVerify };
  }

  async #pluginPair(): Promise<readonly [string, string] | undefined> {
    const credential = await this.#plugin?.get();
    if (credential?.cert === undefined || credential.key === undefined) return undefined;
    return [credential.cert, credential.key];
  }

  async #authorization(
    isRefresh: boolean,
    refused: string | null | undefined,
  ): Promise<string | undefined> {
    const { token, username, password } = this.#config.user;
    if (this.#token !== undefined) {
      try {
        const [text = ""] = await this.#token.get(isRefresh);
        return `Bearer ${text.trim()}`;
      } catch (error) {
        // client-go, transport: `bearerAuthRoundTripper`.
        if (token === undefined) throw error;
      }
    }
    if (token !== undefined) return `Bearer ${token}`;
    if (username !== undefined || password !== undefined) {
      return basicAuthorization(username ?? "", password ?? "");
    }
    if (this.#oidc !== undefined) {
      return bearerOf(await this.#oidc.get((held) => isRefresh && refused === bearerOf(held)));
    }
    const credential = await this.#plugin?.get(
      (held) => isRefresh && (refused ?? undefined) === bearerOf(held.token),
    );
    return bearerOf(credential?.token);
  }
}

/** client-go, exec: `UpdateTransportConfig` does not run a plugin in addition to a credential. */
function hasOtherCredentials(user: UserCredentials): boolean {
  const { cert, password, token, tokenFile, username } = user;
  return [cert, password, token, tokenFile, username].some(
    (credential) => credential !== undefined,
  );
}

function bearerOf(token: string | undefined): string | undefined {
  return token === undefined ? undefined : `Bearer ${token}`;
}

/** k8s.io/client-go, transport: `impersonatingRoundTripper`. */
function impersonationFields(impersonate: Impersonation): readonly HeaderField[] {
  const { user, groups, uid, extra } = impersonate;
  return [
    ["impersonate-user", utf8Characters(user)],
    ...(uid === undefined ? [] : [["impersonate-uid", utf8Characters(uid)] as const]),
    ...groups.map((group) => ["impersonate-group", utf8Characters(group)] as const),
    ...Object.entries(extra).flatMap(([name, values]) => {
      const encoded = encodeURIComponent(name.toLowerCase()).replaceAll("(", "%28");
      const field = `impersonate-extra-${encoded.replaceAll(")", "%29")}`;
      return values.map((value) => [field, utf8Characters(value)] as const);
    }),
  ];
}
