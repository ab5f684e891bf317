import {
  aBoolean,
  anInteger,
  aString,
  someStrings,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Address of a listener, and its clients. */
export interface ListenOptions {
  /** 0 = any free port. @default 0 */
  readonly port?: number | undefined;
  /** The address to listen on. @default "127.0.0.1" */
  readonly host?: string | undefined;
  /**
   * Names that a listener on a loopback address answers to in addition to the loopback ones, such
   * as `host.docker.internal`. Requests for any other name are refused with 403, so that a web page
   * whose name has been pointed to this machine cannot use the server. Listeners on other addresses
   * answer to all names.
   *
   * @default none
   */
  readonly allowedHosts?: readonly string[] | undefined;
  /**
   * Origins of web pages that may use the server, such as `http://localhost:5173`; `*` stands for
   * all. Requests from other pages are refused with 403.
   *
   * @default none
   */
  readonly cors?: readonly string[] | undefined;
  /**
   * Serves HTTPS, with certificates of an authority that is made for this listener. Clients may
   * show a certificate of it (see {@link ListenerTls}), which is looked at on Node alone.
   *
   * @default false
   */
  readonly tls?: boolean | undefined;
}

/** Checks of {@link ListenOptions}. */
export const listenTable: OptionsOf<ListenOptions> = {
  port: anInteger(0),
  host: aString,
  allowedHosts: someStrings,
  cors: someStrings,
  tls: aBoolean,
};

/** The certificates for clients of a listener with TLS. */
export interface ListenerTls {
  /** The certificate to trust, as PEM. */
  readonly authority: string;
  /**
   * Makes a certificate and its private key, both PEM, for a user of the server. Valid for a year
   * or as long as the listener lives.
   *
   * @param user `kubernetes-admin` in the group `system:masters` by default
   */
  issueClientCertificate(user?: {
    /** Name of the user: the common name of the certificate. */
    readonly username: string;
    /** Groups of the user: the organizations of the certificate. @default none */
    readonly groups?: readonly string[] | undefined;
  }): Promise<{
    /** Client certificate, as PEM. */
    readonly certificate: string;
    /** Private key of the certificate, as PEM. */
    readonly key: string;
  }>;
}

/** A server that listens. */
export interface Listener {
  /** `http://127.0.0.1:41234`, without a slash at the end. */
  readonly url: string;
  /** TCP port on which the server listens. */
  readonly port: number;
  /** Undefined for plain HTTP. */
  readonly tls: ListenerTls | undefined;
  /** Stops listening and breaks what is open; settles when no socket is left. */
  close(): Promise<void>;
  /** Same as {@link Listener.close}. */
  [Symbol.asyncDispose](): Promise<void>;
}
