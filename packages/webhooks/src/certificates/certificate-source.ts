import {
  FailureLog,
  having,
  ListwatchError,
  type Clock,
  type Log,
  type LogFields,
  type OptionCheck,
} from "@listwatch/core-fifo/base";

/** A certificate and its key, as PEM. */
export interface ServingCertificate {
  /** The certificate of the server, followed by those of intermediate authorities. */
  readonly certificate: string;
  /** The private key of the certificate. */
  readonly key: string;
  /** Certificates of the authorities for the `caBundle`. @default none */
  readonly authority?: string | undefined;
}

/** A certificate that changes. */
export interface CertificateSource {
  /** The current certificate; undefined until the first one is known. */
  readonly current: ServingCertificate | undefined;
  /**
   * Calls a function with each later certificate.
   *
   * @param listener called with the new certificate; must not throw
   * @returns a function that ends the calls
   */
  onChange(listener: (certificate: ServingCertificate) => void): () => void;
  /**
   * Follows the certificate until the signal is aborted. Failures are reported and retried, and the
   * last certificate stays.
   */
  run(signal: AbortSignal): Promise<void>;
}

export const aSource: OptionCheck = having("onChange", "run");

/** The error about a certificate that a server of webhooks cannot use. */
export function createCertificateError(message: string, advice: string): ListwatchError {
  return new ListwatchError("LW_CERTIFICATE", message, { advice });
}

/** Options of sources for their failures. */
interface FailureOptions {
  readonly clock?: Clock | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly log?: Log | undefined;
}

/** The certificate of a source, the functions that follow it, and the report of failures. */
export class CurrentCertificate {
  #current: ServingCertificate | undefined;
  readonly #listeners = new Set<(certificate: ServingCertificate) => void>();
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #failures: FailureLog;

  /** @param fields identify the source in the log */
  constructor({ clock, log, onError }: FailureOptions, fields: LogFields) {
    this.#onError = onError;
    this.#failures = new FailureLog({ log, clock, fields });
  }

  get value(): ServingCertificate | undefined {
    return this.#current;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sets the certificate. Equal ones call no listener. */
  set(next: ServingCertificate): void {
    this.#failures.recover("Certificate");
    const { authority, certificate, key } = this.#current ?? {};
    const isSame =
      next.certificate === certificate && next.key === key && next.authority === authority;
    if (isSame) return;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }

  /** Reports a failure, which leaves the last certificate. */
  fail(error: unknown): void {
    if (this.#onError !== undefined) this.#onError(error);
    else this.#failures.report({ subject: "Certificate", error, isLasting: true });
  }

  /** Ends the report of failures. */
  close(): void {
    this.#failures.close();
  }
}
