import type { Client } from "@listwatch/client";
import {
  aClock,
  aFunction,
  aLog,
  aString,
  checkOption,
  checkOptions,
  type Clock,
  growDelay,
  having,
  type Log,
  type OptionsOf,
  recordOf,
  sleep,
  stringOf,
  systemClock,
} from "@listwatch/core-fifo/base";
import { secrets } from "@listwatch/resources/core/v1";
import {
  type CertificateSource,
  createCertificateError,
  CurrentCertificate,
  type ServingCertificate,
} from "./certificate-source.ts";

/** Options of {@link certificatesFromSecret}. */
export interface SecretCertificateOptions {
  /** Namespace of the Secret. */
  readonly namespace: string;
  /** Name of the Secret. */
  readonly name: string;
  /** Clock of the retries. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Called with each failure, which is retried. @default the log */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives failures if there is no `onError`. @default consoleLog */
  readonly log?: Log | undefined;
}

const optionTable: OptionsOf<SecretCertificateOptions> = {
  namespace: aString,
  name: aString,
  clock: aClock,
  onError: aFunction,
  log: aLog,
};

// A watch that ends is opened again after a second; failures in a row double the delay.
const firstDelayMs = 1000;
const maxDelayMs = 30_000;

/**
 * Follows a Secret of type `kubernetes.io/tls`, as cert-manager and others write it: `tls.crt`,
 * `tls.key` and, for the `caBundle`, `ca.crt`. The Secret is listed and watched by its name, so the
 * rights `list` and `watch` on that name are enough.
 *
 * A Secret that does not exist yet, is deleted, or lacks a member leaves the last certificate.
 *
 * @param client client of the cluster
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function certificatesFromSecret(
  client: Client,
  options: SecretCertificateOptions,
): CertificateSource {
  checkOption("client", client, having("resource"));
  checkOptions(options, optionTable, ["namespace", "name"]);
  return new SecretCertificates(client, options);
}

class SecretCertificates implements CertificateSource {
  readonly #client: Client;
  readonly #options: SecretCertificateOptions;
  readonly #current: CurrentCertificate;

  constructor(client: Client, options: SecretCertificateOptions) {
    const { name, namespace } = options;
    this.#client = client;
    this.#options = options;
    this.#current = new CurrentCertificate(options, { secret: `${namespace}/${name}` });
  }

  get current(): ServingCertificate | undefined {
    return this.#current.value;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    return this.#current.onChange(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock = systemClock } = this.#options;
    let delayMs = firstDelayMs;
    try {
      while (!signal.aborted) {
        try {
          await this.#follow(signal);
          delayMs = firstDelayMs;
        } catch (error) {
          if (!signal.aborted) this.#current.fail(error);
          delayMs = growDelay(delayMs, 2, maxDelayMs);
        }
        await sleep(delayMs, { clock, signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#current.close();
    }
  }

  /** One list and one watch. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { name, namespace } = this.#options;
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const api = this.#client.resource(secrets);
    const { items, resourceVersion } = await api.list({ ...selection, signal });
    for (const secret of items) this.#take(secret);
    for await (const event of api.watch({ ...selection, resourceVersion, signal })) {
      if (event.type === "ADDED" || event.type === "MODIFIED") this.#take(event.object);
      if (event.type === "ERROR") return;
    }
  }

  #take(secret: unknown): void {
    try {
      this.#current.set(readSecret(secret));
    } catch (error) {
      this.#current.fail(error);
    }
  }
}

function readSecret(secret: unknown): ServingCertificate {
  const data = recordOf(recordOf(secret)["data"]);
  const [certificate, key, authority] = ["tls.crt", "tls.key", "ca.crt"].map((member) =>
    decode(member, stringOf(data[member])),
  );
  if (!certificate || !key) {
    throw unusable("the members tls.crt and tls.key", Object.keys(data).join(", ") || "none");
  }
  return { certificate, key, ...(authority ? { authority } : {}) };
}

function decode(member: string, text: string): string {
  try {
    return atob(text);
  } catch {
    throw unusable(`base64 as ${member}`, "other characters");
  }
}

function unusable(expected: string, got: string): Error {
  return createCertificateError(
    `Cannot use the Secret of a webhook server: expected ${expected}, got ${got}`,
    "Check that the Secret is of type kubernetes.io/tls",
  );
}
