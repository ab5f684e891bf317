import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Clock, Timer } from "@listwatch/core-fifo/base";
import { isSocks, SocksHttpAgent, SocksHttpsAgent } from "./node-socks.ts";
import { isEqualTls, type TlsOptions } from "./tls-options.ts";

/** Milliseconds after which connections of a credential that was replaced are closed at the latest. */
const retiredLimitMs = 10 * 60_000;
/** Milliseconds between TCP's own probes of a quiet connection: Go's `net.Dialer`. */
const probeMs = 30_000;
/** Unused connections that are kept for each server: enough for bursts of writes. */
const maxFreeSockets = 64;

/** How connections are made. */
export interface AgentOptions {
  readonly clock: Clock;
  /** Milliseconds that an unused connection is kept. */
  readonly idleMs: number;
}

/** Connections that were made with the same credentials, directly or through the same proxy. */
export class Agents {
  readonly tls: TlsOptions;
  readonly #options: object;
  readonly #socks: string | undefined;
  readonly #clock: Clock;
  /** By protocol, and whether connections are kept. */
  readonly #agents = new Map<string, HttpAgent | HttpsAgent>();
  #exchanges = 0;
  #whenUnused: (() => void) | undefined;
  #limit: Timer | undefined;

  constructor(tls: TlsOptions, proxy: string | undefined, { clock, idleMs }: AgentOptions) {
    const { serverName, insecureSkipVerify, ...material } = tls;
    this.tls = tls;
    this.#clock = clock;
    this.#socks = proxy !== undefined && isSocks(proxy) ? proxy : undefined;
    const tunnel = this.#socks === undefined ? proxy : undefined;
    this.#options = {
      keepAliveMsecs: probeMs,
      timeout: idleMs,
      maxSockets: Infinity,
      maxFreeSockets,
      // Without a proxy of ours the agent must not find one in the environment by itself.
      proxyEnv: tunnel === undefined ? {} : { HTTP_PROXY: tunnel, HTTPS_PROXY: tunnel },
      ...definedOf(material),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
    };
  }

  /** The agent for an address; one that makes a new connection for each request if that is asked. */
  for(protocol: string, isFresh: boolean): HttpAgent | HttpsAgent {
    const name = `${protocol} ${String(isFresh)}`;
    const held = this.#agents.get(name);
    if (held !== undefined) return held;
    const options = { ...this.#options, keepAlive: !isFresh };
    const agent = this.#create(protocol === "https:", options);
    this.#agents.set(name, agent);
    return agent;
  }

  #create(isSecure: boolean, options: object): HttpAgent | HttpsAgent {
    const socks = this.#socks;
    if (socks === undefined) return isSecure ? new HttpsAgent(options) : new HttpAgent(options);
    return isSecure ? new SocksHttpsAgent(socks, options) : new SocksHttpAgent(socks, options);
  }

  /** Says that an exchange begins, which goes on until the result is called. */
  begin(): () => void {
    let hasEnded = false;
    this.#exchanges++;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      this.#exchanges--;
      if (this.#exchanges === 0) this.#whenUnused?.();
    };
  }

  /**
   * Closes the connections when the last exchange has ended, and then calls back. No new one may
   * begin.
   */
  retire(onClosed: () => void): void {
    this.#whenUnused = () => {
      this.destroy();
      onClosed();
    };
    if (this.#exchanges === 0) this.#whenUnused();
    else this.#limit = this.#clock.setTimeout(this.#whenUnused, retiredLimitMs);
  }

  /** Closes all connections at once. */
  destroy(): void {
    this.#limit?.cancel();
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** The agents of a transport: one for each proxy, all of the credentials of now. */
export class AgentPool {
  readonly #options: AgentOptions;
  readonly #byProxy = new Map<string | undefined, Agents>();
  readonly #retired = new Set<Agents>();
  #isClosed = false;

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Whether {@link AgentPool.close} was called. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The agents for these credentials; those of other credentials are retired. */
  take(tls: TlsOptions, proxy: string | undefined): Agents {
    const held = this.#byProxy.get(proxy);
    if (held !== undefined && isEqualTls(held.tls, tls)) return held;
    if (held !== undefined) {
      this.#retired.add(held);
      held.retire(() => this.#retired.delete(held));
    }
    const agents = new Agents(tls, proxy, this.#options);
    this.#byProxy.set(proxy, agents);
    return agents;
  }

  /** Closes all connections at once, those in use too. */
  close(): void {
    this.#isClosed = true;
    for (const agents of [...this.#byProxy.values(), ...this.#retired]) agents.destroy();
    this.#byProxy.clear();
    this.#retired.clear();
  }
}

/** The members that have a value: an agent takes `undefined` for a value in some runtimes. */
function definedOf(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
