import {
  aClock,
  aFunction,
  aLog,
  anInteger,
  aNumber,
  aSignal,
  aString,
  checkOption,
  checkOptions,
  type Clock,
  FailureLog,
  type Log,
  type OptionsOf,
  sleep,
  systemClock,
  untilAborted,
} from "@listwatch/core-fifo/base";
import {
  aSource,
  type CertificateSource,
  type ServingCertificate,
} from "../certificates/certificate-source.ts";
import { checkCertificate } from "./node-check-certificate.ts";
import { listenOnBun } from "./node-bun-listener.ts";
import { type Listener, listenOnNode } from "./node-listener.ts";

/** Options of {@link serveWebhooks}. */
export interface ServeWebhooksOptions {
  /** Source of the certificate, which the server runs until it is closed. */
  readonly certificates: CertificateSource;
  /** Port; 0 for any free one. @default 9443 */
  readonly port?: number | undefined;
  /** Address of the interface. @default all interfaces */
  readonly host?: string | undefined;
  /**
   * Time that the server goes on after {@link WebhookServer.close}, in milliseconds. API servers
   * call a pod until it has left the endpoints of its service everywhere.
   *
   * @default 5000
   */
  readonly shutdownDelayMs?: number | undefined;
  /** Clock of the delay. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Ends the wait for the first certificate. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Receives certificates that cannot be used. @default consoleLog */
  readonly log?: Log | undefined;
}

/** A server of webhooks. */
export interface WebhookServer extends AsyncDisposable {
  /** Port that the server listens on. */
  readonly port: number;
  /** Whether the pod is ready: true until {@link WebhookServer.close} is called. */
  readonly isReady: boolean;
  /** Ends the readiness, goes on for `shutdownDelayMs`, then answers what it has received. */
  close(): Promise<void>;
}

const optionTable: OptionsOf<ServeWebhooksOptions> = {
  certificates: aSource,
  port: anInteger(0),
  host: aString,
  shutdownDelayMs: aNumber(0),
  clock: aClock,
  signal: aSignal,
  log: aLog,
};

/**
 * Serves a handler over HTTPS, on Node, Deno and Bun. Resolves once there is a certificate that can
 * be used and the port listens, so a program is not ready before. A new certificate serves new
 * connections, and existing ones go on; one that cannot be used is reported, and the last one
 * stays.
 *
 * @param handler router or handler
 * @throws {InvalidOptionsError} if an option cannot be used
 * @throws the error of the runtime if the port is taken; the reason of the signal
 */
export async function serveWebhooks(
  handler: (request: Request) => Promise<Response>,
  options: ServeWebhooksOptions,
): Promise<WebhookServer> {
  checkOption("handler", handler, aFunction);
  checkOptions(options, optionTable, ["certificates"]);
  const { certificates, clock = systemClock, host, log, port = 9443 } = options;
  const { shutdownDelayMs = 5000, signal } = options;
  const failures = new FailureLog({ log, clock, fields: { webhooks: port } });
  const report = (error: unknown): void => {
    failures.report({ subject: "Certificate", error, isLasting: true });
  };
  const stop = new AbortController();
  const running = certificates.run(stop.signal);
  // A source that ends early is reported by its own log; the last certificate stays.
  running.catch(() => undefined);
  let listener: Listener;
  let first: ServingCertificate;
  try {
    first = await firstOf(certificates, report, signal);
    failures.recover("Certificate");
    const isBun = "Bun" in globalThis;
    listener = await (isBun ? listenOnBun : listenOnNode)(handler, first, { host, port });
  } catch (error) {
    stop.abort();
    failures.close();
    throw error;
  }
  const use = (certificate: ServingCertificate): void => {
    try {
      checkCertificate(certificate);
      listener.setCertificate(certificate);
      failures.recover("Certificate");
    } catch (error) {
      report(error);
    }
  };
  const release = certificates.onChange(use);
  // It may have changed while the port was opened.
  const { current } = certificates;
  if (current !== undefined && current !== first) use(current);
  const close = async (): Promise<void> => {
    listener.drain();
    await sleep(shutdownDelayMs, { clock });
    await listener.close();
    // Last, so that a source that tells others what is served is right until the end.
    release();
    stop.abort();
    failures.close();
    await running.catch(() => undefined);
  };
  return new Serving(listener.port, close);
}

class Serving implements WebhookServer {
  readonly port: number;
  readonly #end: () => Promise<void>;
  #closed: Promise<void> | undefined;

  constructor(port: number, end: () => Promise<void>) {
    this.port = port;
    this.#end = end;
  }

  get isReady(): boolean {
    return this.#closed === undefined;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

/** The first certificate that can be used. */
async function firstOf(
  certificates: CertificateSource,
  report: (error: unknown) => void,
  signal: AbortSignal | undefined,
): Promise<ServingCertificate> {
  let refused: ServingCertificate | undefined;
  for (;;) {
    const { current } = certificates;
    // Another one than the last may have come before the wait for the next one begins.
    const isNew = current !== undefined && current !== refused;
    const certificate = isNew ? current : await nextOf(certificates, signal);
    try {
      checkCertificate(certificate);
      return certificate;
    } catch (error) {
      report(error);
      refused = certificate;
    }
  }
}

async function nextOf(
  certificates: CertificateSource,
  signal: AbortSignal | undefined,
): Promise<ServingCertificate> {
  const { promise, resolve } = Promise.withResolvers<ServingCertificate>();
  const release = certificates.onChange(resolve);
  try {
    return await untilAborted(promise, signal);
  } finally {
    release();
  }
}
