import {
  aClock,
  aFunction,
  aLog,
  aNumber,
  aString,
  checkOptions,
  type Clock,
  createInvalidOptionError,
  isRecord,
  type Log,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { WebhookConfigurations } from "../configurations/configurations.ts";
import { hostOf } from "./x509.ts";

/** Times of certificates. */
export interface CertificateTimes {
  /**
   * Validity of a certificate and its authority, in milliseconds.
   *
   * @default 90 days, as cert-manager has it
   */
  readonly validityMs?: number | undefined;
  /**
   * Time before the end of the validity at which a new certificate is made, in milliseconds.
   *
   * @default a third of the validity, as cert-manager has it
   */
  readonly renewBeforeMs?: number | undefined;
  /**
   * Time that a certificate is valid before it was made, in milliseconds, for API servers whose
   * clocks are behind.
   *
   * @default 5 minutes, as the signer of kube-controller-manager has it
   */
  readonly clockSkewMs?: number | undefined;
  /**
   * Time between two checks of the Secret and the configurations, in milliseconds. A foreign change
   * of either lasts as long. Checks are a second apart, or as often as this if that is less, while
   * a rotation is in progress.
   *
   * @default 10 000
   */
  readonly checkMs?: number | undefined;
  /**
   * Time from the last write of a `caBundle` to the first use of a certificate that needs it, in
   * milliseconds: API servers follow configurations with a delay.
   *
   * @default 10 000
   */
  readonly propagationMs?: number | undefined;
  /**
   * Time without a renewal of its record after which a replica counts as ended, in milliseconds. A
   * replica that is killed keeps the old authority in the bundles for this time. A replica that API
   * servers can call, although it cannot reach them, must not be cut off for longer.
   *
   * @default 10 minutes, after which Kubernetes has evicted the pods of a lost node
   */
  readonly replicaTimeoutMs?: number | undefined;
}

/** Options of {@link rotatedCertificates}. */
export interface RotatedCertificateOptions {
  /** Namespace of the Secret and of the Leases of replicas. */
  readonly namespace: string;
  /** Name of the Secret, at most 63 characters. */
  readonly name: string;
  /** Configurations that get the `caBundle`, as `webhookConfigurations` returns them. */
  readonly configurations: WebhookConfigurations;
  /**
   * DNS names and IP addresses of the certificate. A certificate that is made during a roll-out has
   * those of both versions.
   *
   * @default the service, or the host of the address, in the configurations
   */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Whether this replica makes and writes, such as `() => manager.isLeader`. Others write only
   * after calls of webhooks would have failed for 10 s, because a leader can need its own webhook
   * before it is elected.
   *
   * @default true for each replica, so that the first write of the Secret wins
   */
  readonly isLeader?: (() => boolean) | undefined;
  /** Times of certificates, in milliseconds. */
  readonly times?: CertificateTimes | undefined;
  /** Owner of the written fields. @default the name of the Secret */
  readonly fieldManager?: string | undefined;
  /** Clock of the validity and the checks. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Called with each failure, which is retried. @default the log */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Receives steps of rotations, and failures if there is no `onError`. @default consoleLog */
  readonly log?: Log | undefined;
}

const timesTable: OptionsOf<CertificateTimes> = {
  // A certificate has whole seconds.
  validityMs: aNumber(1000),
  renewBeforeMs: aNumber(0),
  clockSkewMs: aNumber(0),
  checkMs: aNumber(1),
  propagationMs: aNumber(0),
  replicaTimeoutMs: aNumber(1),
};

const optionTable: OptionsOf<RotatedCertificateOptions> = {
  namespace: aString,
  // The name is a label of the Leases: apimachinery, util/validation `LabelValueMaxLength`.
  name: (name) =>
    typeof name === "string" && /^[a-z0-9][-a-z0-9.]{0,61}[a-z0-9]$/.test(name)
      ? undefined
      : "a name of 2 to 63 characters",
  configurations: (value) =>
    isRecord(value) && Array.isArray(value["conversions"])
      ? undefined
      : "the configurations that webhookConfigurations returns",
  hosts: (hosts) => (Array.isArray(hosts) && hosts.every(isHost) ? undefined : someHosts),
  isLeader: aFunction,
  times: timesTable,
  fieldManager: aString,
  clock: aClock,
  onError: aFunction,
  log: aLog,
};

const someHosts = "an array of DNS names in ASCII and IP addresses";

function isHost(host: unknown): boolean {
  if (typeof host !== "string" || host === "") return false;
  const text = host.includes(":") ? `https://[${host}]` : `https://${host}`;
  // A URL would take a path, or complete an address.
  return URL.canParse(text) && (host.includes(":") || new URL(text).hostname === hostOf(host));
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Times with their defaults. */
export type Times = { readonly [K in keyof CertificateTimes]-?: number };

/** @throws {InvalidOptionsError} if an option cannot be used */
export function checkRotatedOptions(options: RotatedCertificateOptions): void {
  checkOptions(options, optionTable, ["namespace", "name", "configurations"]);
  const { renewBeforeMs, validityMs } = timesOf(options.times);
  if (renewBeforeMs >= validityMs) {
    const expected = `less than the validity, ${validityMs}`;
    throw createInvalidOptionError("times.renewBeforeMs", expected, renewBeforeMs);
  }
}

export function timesOf(times: CertificateTimes = {}): Times {
  const { validityMs = 90 * dayMs } = times;
  return {
    validityMs,
    renewBeforeMs: times.renewBeforeMs ?? validityMs / 3,
    clockSkewMs: times.clockSkewMs ?? 5 * minuteMs,
    checkMs: times.checkMs ?? 10_000,
    propagationMs: times.propagationMs ?? 10_000,
    replicaTimeoutMs: times.replicaTimeoutMs ?? 10 * minuteMs,
  };
}

interface Called {
  readonly clientConfig?:
    | {
        readonly url?: string | undefined;
        readonly service?: { readonly namespace: string; readonly name: string } | undefined;
      }
    | undefined;
}

/**
 * The names that API servers expect in the certificate.
 *
 * @throws {InvalidOptionsError} if the configurations have none, and there are no `hosts`
 */
export function hostsOf({ configurations, hosts }: RotatedCertificateOptions): readonly string[] {
  const { conversions, mutating, validating } = configurations;
  const webhooks: readonly Called[] = [
    ...(mutating?.webhooks ?? []),
    ...(validating?.webhooks ?? []),
    ...conversions.map(({ conversion }) => conversion.webhook ?? {}),
  ];
  const named = webhooks.flatMap(({ clientConfig: { service, url } = {} }) => {
    // apiserver, util/webhook `ClientManager.HookClient`: the server is NAME.NAMESPACE.svc.
    if (service !== undefined) return [`${service.name}.${service.namespace}.svc`];
    return url === undefined ? [] : [new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")];
  });
  const names = [...new Set((hosts ?? named).map(hostOf))];
  if (names.length > 0) return names;
  throw createInvalidOptionError("hosts", "the names of the server", hosts);
}
