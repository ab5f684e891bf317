import { readFile } from "node:fs/promises";
import {
  aClock,
  aFunction,
  aLog,
  aNumber,
  aString,
  checkOptions,
  type Clock,
  inRealTime,
  type Log,
  type OptionsOf,
  sleep,
  systemClock,
} from "@listwatch/core-fifo/base";
import {
  type CertificateSource,
  CurrentCertificate,
  type ServingCertificate,
} from "./certificate-source.ts";

/** Options of {@link certificatesFromFiles}. */
export interface FileCertificateOptions {
  /** Path of the certificate, such as `/tls/tls.crt`. */
  readonly certificate: string;
  /** Path of the private key, such as `/tls/tls.key`. */
  readonly key: string;
  /** Path of the authorities, for the `caBundle`. @default none */
  readonly authority?: string | undefined;
  /** Time between two reads, in milliseconds. @default 10 000 */
  readonly rereadMs?: number | undefined;
  /** Clock of the reads. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Called with each read that fails; it is repeated. @default the log */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives failures if there is no `onError`. @default consoleLog */
  readonly log?: Log | undefined;
}

const optionTable: OptionsOf<FileCertificateOptions> = {
  certificate: aString,
  key: aString,
  authority: aString,
  rereadMs: aNumber(1),
  clock: aClock,
  onError: aFunction,
  log: aLog,
};
// controller-runtime, pkg/certwatcher `defaultWatchInterval`.
const defaultRereadMs = 10_000;

/**
 * Reads a certificate from files, such as those of a mounted Secret, and reads them again at an
 * interval. Files that cannot be read leave the last certificate.
 *
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function certificatesFromFiles(options: FileCertificateOptions): CertificateSource {
  checkOptions(options, optionTable, ["certificate", "key"]);
  return new FileCertificates(options);
}

class FileCertificates implements CertificateSource {
  readonly #options: FileCertificateOptions;
  readonly #current: CurrentCertificate;

  constructor(options: FileCertificateOptions) {
    this.#options = options;
    this.#current = new CurrentCertificate(options, { file: options.certificate });
  }

  get current(): ServingCertificate | undefined {
    return this.#current.value;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    return this.#current.onChange(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock, rereadMs = defaultRereadMs } = this.#options;
    try {
      while (!signal.aborted) {
        await this.#read();
        await sleep(rereadMs, { clock, signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#current.close();
    }
  }

  async #read(): Promise<void> {
    const { authority, certificate, key } = this.#options;
    const read = (path: string): Promise<string> => inRealTime(readFile(path, "utf8"));
    try {
      const next = { certificate: await read(certificate), key: await read(key) };
      const trusted = authority === undefined ? {} : { authority: await read(authority) };
      this.#current.set({ ...next, ...trusted });
    } catch (error) {
      this.#current.fail(error);
    }
  }
}
