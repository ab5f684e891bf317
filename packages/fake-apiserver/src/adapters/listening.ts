/** Where to listen. */
export interface ListenOptions {
  /** 0 = any free port. @default 0 */
  readonly port?: number;
  /** @default "127.0.0.1" */
  readonly host?: string;
}

/** A server that listens. */
export interface Listener {
  /** `http://127.0.0.1:41234`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and breaks what is open; settles when no socket is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The address as URL; IPv6 addresses get their brackets. */
export function listenerUrl(host: string, port: number): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
