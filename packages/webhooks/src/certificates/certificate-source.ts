import { having, type OptionCheck } from "@listwatch/core-fifo/base";

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

/** The certificate of a source, and the functions that follow it. */
export class CurrentCertificate {
  #current: ServingCertificate | undefined;
  readonly #listeners = new Set<(certificate: ServingCertificate) => void>();

  get value(): ServingCertificate | undefined {
    return this.#current;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Sets the certificate. Equal ones call no listener. */
  set(next: ServingCertificate): void {
    const { authority, certificate, key } = this.#current ?? {};
    const isSame =
      next.certificate === certificate && next.key === key && next.authority === authority;
    if (isSame) return;
    this.#current = next;
    for (const listener of this.#listeners) listener(next);
  }
}
