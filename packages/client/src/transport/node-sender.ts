import { AgentPool, type AgentOptions } from "./node-agents.ts";
import { exchange, type Outgoing } from "./node-exchange.ts";
import { checkAnchors } from "./node-trust.ts";
import type { TlsOptions } from "./tls-options.ts";

/** The way of one request to the server. */
export interface Route {
  readonly tls: TlsOptions;
  readonly proxy: string | undefined;
  /** Whether the request may share a connection over HTTP/2. */
  readonly http2: boolean;
}

/**
 * Sends requests with the runtime's HTTP modules. Loaded with the first request, since these
 * modules take most of the time that a small program needs to start.
 */
export class NodeSender {
  readonly #agents: AgentPool;
  #checkedCa: string | undefined;

  constructor(options: AgentOptions) {
    this.#agents = new AgentPool(options);
  }

  /** @throws {ConfigError} if the authority that must be trusted has no certificate */
  checkAuthority(ca: string): void {
    if (ca !== this.#checkedCa) checkAnchors(ca);
    this.#checkedCa = ca;
  }

  async send(outgoing: Outgoing, { http2, proxy, tls }: Route): Promise<Response> {
    const isEligible = http2 && outgoing.socketPath === undefined;
    if (!isEligible || !outgoing.url.startsWith("https:")) {
      return exchange(outgoing, this.#agents.take(tls, proxy));
    }
    const { exchangeHttp2 } = await import("./node-http2-exchange.ts");
    return exchangeHttp2(outgoing, this.#agents.take(tls, proxy));
  }

  /** Closes all connections at once, even those in use. */
  close(): void {
    this.#agents.close();
  }
}
