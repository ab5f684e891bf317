/**
 * A connection that a fault broke. `fetch` rejects with it, or the body stream fails with it, as a
 * client's own `fetch` does when the peer resets the connection; the listeners answer it by
 * resetting the TCP connection.
 */
export class ConnectionResetError extends TypeError {
  override readonly name: string = "ConnectionResetError";
  /** As Node names it, so that clients which look at codes see what they know. */
  readonly code = "ECONNRESET" as const;

  constructor(message: string = "The fake API server reset the connection, as a fault demands") {
    super(message);
  }
}
