import { Socket, isIP } from "node:net";
import { TLSSocket } from "node:tls";
import { onAborted } from "@listwatch/core-fifo/base";
import { probeMs, type Agents } from "./node-agents.ts";
import { brokenOff } from "./node-body.ts";

/**
 * Opens a connection over TLS as the agent for HTTP/1.1 would: with its certificates and through
 * its proxy. The server chooses one of the protocols (ALPN, RFC 7301).
 */
export function openTls(agents: Agents, url: URL, signal: AbortSignal): Promise<TLSSocket> {
  const agent = agents.for("https:", false);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const wanted = {
    ...agents.socketOptions,
    // The agent's time limit is for unused connections.
    timeout: 0,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: probeMs,
    host,
    port: Number(url.port || 443),
    path: null,
    servername: agents.tls.serverName ?? (isIP(host) === 0 ? host : ""),
    ALPNProtocols: ["h2", "http/1.1"],
  };
  return new Promise((resolve, reject) => {
    let current: unknown;
    const removeListener = onAborted(signal, () => {
      if (current instanceof Socket) current.destroy();
      fail(signal.reason);
    });
    const fail = (error: unknown): void => {
      removeListener();
      reject(error);
    };
    const secure = (socket: unknown): void => {
      current = socket;
      if (!(socket instanceof TLSSocket)) return fail(new Error("The connection has no TLS"));
      const ready = (): void => {
        removeListener();
        resolve(socket);
      };
      socket.on("error", fail).once("close", () => fail(brokenOff()));
      // A tunnel may return the connection after its handshake.
      if (socket.alpnProtocol === null) socket.once("secureConnect", ready);
      else ready();
    };
    current = agent.createConnection(wanted, (error, socket) => {
      if (error) fail(error);
      else secure(socket);
    });
    // Through a tunnel this is the connection to the proxy.
    if (!agents.hasTunnel && current instanceof TLSSocket) secure(current);
  });
}
