import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Clock, Timer } from "@listwatch/core-fifo/base";
import { denoRuntime } from "./deno-client.ts";
import { SocksHttpAgent, SocksHttpsAgent } from "./node-socks.ts";
import { AnchoredHttpsAgent, anchorOptions, checkClientCertificate } from "./node-trust.ts";
import { isSocks } from "./proxy-settings.ts";
import { isEqualTls, type TlsOptions } from "./tls-options.ts";

/** Time after which connections of replaced credentials are closed at the latest, in milliseconds. */
const retiredLimitMs = 10 * 60_000;
/** Interval of TCP keep-alive probes on a quiet connection, in milliseconds: Go's `net.Dialer`. */
export const probeMs = 30_000;
/** Maximum number of unused connections per server: enough for bursts of writes. */
const maxFreeSockets = 64;

/** Options of connections. */
export interface AgentOptions {
  readonly clock: Clock;
  /** How long an unused connection is kept, in milliseconds. */
  readonly idleMs: number;
}

/** Connections over HTTP/2. Their code is loaded only for transports that use it. */
interface Sessions {
  destroy(): void;
}

/** Connections with the same credentials and proxy. */
export class Agents {
  readonly tls: TlsOptions;
  /** Whether connections go through a tunnel that the runtime's agent opens. */
  readonly hasTunnel: boolean;
  readonly options: AgentOptions;
  /** Options of the connections, for all protocols. */
  readonly socketOptions: object;
  readonly #socks: string | undefined;
  readonly #clock: Clock;
  /** Agents by protocol, and by whether connections are kept. */
  readonly #agents = new Map<string, HttpAgent | HttpsAgent>();
  #sessions: Sessions | undefined;
  #isDestroyed = false;
  #exchanges = 0;
  #whenUnused: (() => void) | undefined;
  #limit: Timer | undefined;

  constructor(tls: TlsOptions, proxy: string | undefined, options: AgentOptions) {
    const { clock, idleMs } = options;
    const { serverName, insecureSkipVerify, ...material } = tls;
    this.tls = tls;
    this.options = options;
    this.#clock = clock;
    this.#socks = proxy !== undefined && isSocks(proxy) ? proxy : undefined;
    const tunnel = this.#socks === undefined ? proxy : undefined;
    this.hasTunnel = tunnel !== undefined;
    this.socketOptions = {
      keepAliveMsecs: probeMs,
      timeout: idleMs,
      maxSockets: Infinity,
      maxFreeSockets,
      // Without a configured proxy the agent must not find one in the environment.
      proxyEnv: tunnel === undefined ? {} : { HTTP_PROXY: tunnel, HTTPS_PROXY: tunnel },
      ...(insecureSkipVerify === true ? {} : anchorOptions(material.ca)),
      ...definedOf(material),
      ...(serverName === undefined ? {} : { servername: serverName }),
      ...(insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
    };
  }

  /** Returns the agent for an address. If `isFresh`, it makes a new connection for each request. */
  for(protocol: string, isFresh: boolean): HttpAgent | HttpsAgent {
    const name = `${protocol} ${String(isFresh)}`;
    const held = this.#agents.get(name);
    if (held !== undefined) return held;
    const options = { ...this.socketOptions, keepAlive: !isFresh };
    const agent = this.#create(protocol === "https:", options);
    this.#agents.set(name, agent);
    return agent;
  }

  #create(isSecure: boolean, options: object): HttpAgent | HttpsAgent {
    const socks = this.#socks;
    if (!isSecure) {
      return socks === undefined ? new HttpAgent(options) : new SocksHttpAgent(socks, options);
    }
    if (socks !== undefined) return new SocksHttpsAgent(socks, options);
    const { ca, insecureSkipVerify } = this.tls;
    const isOnDeno = denoRuntime() !== undefined;
    if (isOnDeno) checkClientCertificate(this.tls);
    const needsAnchors = isOnDeno && insecureSkipVerify !== true;
    return ca !== undefined && needsAnchors
      ? new AnchoredHttpsAgent(ca, options)
      : new HttpsAgent(options);
  }

  /** Returns the connections over HTTP/2, which the first call creates. */
  sessions<S extends Sessions>(create: (agents: this) => S): S {
    const held = (this.#sessions ??= create(this));
    if (this.#isDestroyed) held.destroy();
    // All callers of a transport pass the same function.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return held as S;
  }

  /** Records the start of an exchange. The returned function ends it. */
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
   * Closes the connections after the last exchange, then calls `onClosed`. No exchange may start
   * after this.
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
    this.#isDestroyed = true;
    this.#limit?.cancel();
    this.#sessions?.destroy();
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** Agents of a transport: one for each proxy, all with the current credentials. */
export class AgentPool {
  readonly #options: AgentOptions;
  readonly #byProxy = new Map<string | undefined, Agents>();
  readonly #retired = new Set<Agents>();

  constructor(options: AgentOptions) {
    this.#options = options;
  }

  /** Returns the agents for these credentials. Those of other credentials are retired. */
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

  /** Closes all connections at once, even those in use. */
  close(): void {
    for (const agents of [...this.#byProxy.values(), ...this.#retired]) agents.destroy();
    this.#byProxy.clear();
    this.#retired.clear();
  }
}

/** Returns the members that have a value: in some runtimes `undefined` is a value to an agent. */
function definedOf(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
