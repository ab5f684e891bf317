/** What a TLS connection needs, as texts in PEM form. */
export interface TlsOptions {
  /**
   * Certificates of the authorities to trust, and of no other, as in client-go. Deno's own client
   * adds them to the runtime's roots.
   *
   * @default the roots of the runtime
   */
  readonly ca?: string | undefined;
  /** Certificate of the client, with its chain. Needs `key`. @default none */
  readonly cert?: string | undefined;
  /** Private key of `cert`. @default none */
  readonly key?: string | undefined;
  /** Opens `key`, if that is encrypted. @default none */
  readonly passphrase?: string | undefined;
  /**
   * Name to ask the server for, and that its certificate must have.
   *
   * @default the host of the address
   */
  readonly serverName?: string | undefined;
  /**
   * Whether any certificate is taken, so that anything between can read and change what is sent.
   *
   * @default false
   */
  readonly insecureSkipVerify?: boolean | undefined;
}

/**
 * TLS options, or a function that is called before each request and gives those of now. When they
 * change, new requests use new connections; open ones go on.
 */
export type TlsSource = TlsOptions | (() => TlsOptions | Promise<TlsOptions>);

/** Whether connections that were made with the one can serve requests for the other. */
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
