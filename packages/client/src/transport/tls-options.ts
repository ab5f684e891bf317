import { aBoolean, aString, type OptionsOf } from "@listwatch/core-fifo/base";
/** Options of a TLS connection, as PEM data. */
export interface TlsOptions {
  /**
   * Certificates of the only authorities to trust. Each is an anchor, as in Go: also an
   * intermediate authority without its root, and the certificate of the server. Deno's client adds
   * them to the runtime's roots.
   *
   * @default the runtime's roots
   */
  readonly ca?: string | undefined;
  /** Client certificate with its chain. Requires `key`. @default none */
  readonly cert?: string | undefined;
  /** Private key of `cert`. @default none */
  readonly key?: string | undefined;
  /** Decrypts `key`, if it is encrypted. @default none */
  readonly passphrase?: string | undefined;
  /**
   * Name to request from the server, which its certificate must contain.
   *
   * @default the host of the address
   */
  readonly serverName?: string | undefined;
  /**
   * Whether to accept any certificate. Anyone between can then read and change the traffic.
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean | undefined;
}

/** Checks of {@link TlsOptions}. */
export const tlsTable: OptionsOf<TlsOptions> = {
  ca: aString,
  cert: aString,
  key: aString,
  passphrase: aString,
  serverName: aString,
  insecureSkipVerify: aBoolean,
};

/**
 * TLS options, or a function that returns the current ones and is called before each request. When
 * they change, new requests use new connections; open ones continue.
 */
export type TlsSource = TlsOptions | (() => TlsOptions | Promise<TlsOptions>);

/** Whether connections with one set of options can serve requests for the other. */
export function isEqualTls(a: TlsOptions, b: TlsOptions): boolean {
  return (
    a.ca === b.ca &&
    a.cert === b.cert &&
    a.key === b.key &&
    a.passphrase === b.passphrase &&
    a.serverName === b.serverName &&
    (a.insecureSkipVerify ?? false) === (b.insecureSkipVerify ?? false)
  );
}

/** Returns the certificates in PEM data, each with its frame. */
export function certificatesIn(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g) ?? [];
}
