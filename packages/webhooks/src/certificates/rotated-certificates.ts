import { type Client, fnv1a64, isStatusError } from "@listwatch/client";
import {
  AlreadyRunningError,
  checkOption,
  type Clock,
  consoleLog,
  having,
  type Log,
  sleep,
  systemClock,
  withTimeLimit,
} from "@listwatch/core-fifo/base";
import { secrets } from "@listwatch/resources/core/v1";
import {
  type CertificateSource,
  CurrentCertificate,
  type ServingCertificate,
} from "./certificate-source.ts";
import {
  dataOf,
  type IssuedSecret,
  readIssuedSecret,
  type SecretContent,
} from "./issued-secret.ts";
import { type ReadTarget, readTarget, type Target, targetsOf, writeTarget } from "./publication.ts";
import { type ReplicaAgreement, ReplicaRecords } from "./replica-records.ts";
import {
  checkRotatedOptions,
  hostsOf,
  type RotatedCertificateOptions,
  type Times,
  timesOf,
} from "./rotated-options.ts";
import {
  decideStep,
  isUrgent,
  isUsableAt,
  type Observed,
  type RotationNeeds,
  type Step,
} from "./rotation.ts";
import { issueCertificate } from "./x509.ts";

/**
 * Makes the certificate of webhooks, stores it in a Secret with its authority, publishes the
 * authority in each `caBundle`, and renews all of them in time. Each replica runs such a source,
 * and serves what is in the Secret; the leader writes.
 *
 * A rotation adds the new authority to each bundle before a replica serves the new certificate, and
 * removes the old one after every replica does. Each replica records its certificate in a Lease.
 * All state is in the cluster, so a rotation continues after any restart. A replica serves no
 * certificate that a published bundle does not trust.
 *
 * Configurations that do not exist are created once this replica has served for `propagationMs`.
 * Definitions of custom resources must exist; without one, its conversion waits. In a roll-out, the
 * rules of the new version are written when every replica has them, so that no API server calls a
 * replica that does not know its path. Until then the rules that are there stay, whatever an old
 * replica writes.
 *
 * Not guaranteed: trust by an API server that follows its configurations later than
 * `propagationMs`, or during a foreign change of a bundle, which is undone after `checkMs`; trust
 * in a replica that has been cut off from the API server for `replicaTimeoutMs` and still serves.
 *
 * ```ts
 * import { createClient } from "@listwatch/client";
 * import { validating, webhookConfigurations } from "@listwatch/webhooks";
 * import { rotatedCertificates } from "@listwatch/webhooks/certificates";
 *
 * const pods = { group: "", version: "v1", resource: "pods" };
 * const service = { namespace: "operators", name: "my-operator" };
 * const configurations = webhookConfigurations([validating(pods, () => {})], {
 *   name: "my-operator",
 *   service,
 * });
 * const client = createClient({
 *   server: "http://localhost:8001",
 *   namespace: "operators",
 *   fetch,
 * });
 * const certificates = rotatedCertificates(client, {
 *   namespace: "operators",
 *   name: "my-operator-webhooks",
 *   configurations,
 * });
 * if (certificates.current !== undefined) throw new Error("it does not run yet");
 * ```
 *
 * @param client client of the cluster
 * @throws {InvalidOptionsError} if an option cannot be used
 */
export function rotatedCertificates(
  client: Client,
  options: RotatedCertificateOptions,
): CertificateSource {
  checkOption("client", client, having("resource"));
  checkRotatedOptions(options);
  return new RotatedCertificates(client, options);
}

/** Time in which a leader should have ended what makes calls fail, in milliseconds. */
const takeoverMs = 10_000;
/** Time between checks while something is in progress, in milliseconds. */
const busyMs = 1000;
/** A rotation without waits has six steps; the limit only bounds repeated conflicts. */
const maxSteps = 10;
/** Time for the removal of the record at the end, in milliseconds. */
const removalMs = 5000;
/** Without a certificate, nothing has been agreed on. */
const disagreement: ReplicaAgreement = { isServedByAll: false, isOneVersion: false };

type Seen = Pick<Observed, "bundles" | "secret">;

class RotatedCertificates implements CertificateSource {
  readonly #client: Client;
  readonly #options: RotatedCertificateOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #times: Times;
  readonly #hosts: readonly string[];
  readonly #fieldManager: string;
  readonly #current: CurrentCertificate;
  readonly #targets: readonly Target[];
  #records: ReplicaRecords | undefined;
  /** Name of the served certificate; `""` for none. */
  #served = "";
  #servedMs = Infinity;
  /** When all bundles were first seen with the authority of the certificate that waits. */
  #published: { readonly certificate: string; readonly sinceMs: number } | undefined;
  #urgentMs: number | undefined;
  /** The Secret as it was read last. */
  #read: { readonly version: string; readonly secret: IssuedSecret } | undefined;
  /** Whether this process has applied rules, which undoes foreign changes. */
  #hasApplied = false;

  constructor(client: Client, options: RotatedCertificateOptions) {
    const { clock = systemClock, configurations, log = consoleLog, name, namespace } = options;
    this.#client = client;
    this.#options = options;
    this.#clock = clock;
    this.#log = log;
    this.#times = timesOf(options.times);
    this.#hosts = hostsOf(options);
    this.#fieldManager = options.fieldManager ?? name;
    this.#current = new CurrentCertificate(options, { secret: `${namespace}/${name}` });
    this.#targets = targetsOf(client, configurations, this.#fieldManager);
  }

  get current(): ServingCertificate | undefined {
    return this.#current.value;
  }

  onChange(listener: (certificate: ServingCertificate) => void): () => void {
    return this.#current.onChange(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (this.#records !== undefined) throw new AlreadyRunningError("the source of certificates");
    const records = new ReplicaRecords(this.#client, this.#clock, {
      namespace: this.#options.namespace,
      secret: this.#options.name,
      identity: crypto.randomUUID(),
      version: this.#version(),
      fieldManager: this.#fieldManager,
      replicaTimeoutMs: this.#times.replicaTimeoutMs,
    });
    this.#records = records;
    const { checkMs } = this.#times;
    try {
      while (!signal.aborted) {
        const isBusy = await this.#check(records, signal);
        await sleep(isBusy ? Math.min(busyMs, checkMs) : checkMs, { clock: this.#clock, signal });
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.#removeRecord(records);
      this.#current.close();
    }
  }

  /** Returns whether something is in progress. */
  async #check(records: ReplicaRecords, signal: AbortSignal): Promise<boolean> {
    try {
      // Before the Secret is read, see ReplicaRecords.
      await records.write(this.#served, signal);
      for (let count = 0; count < maxSteps; count += 1) {
        const isDone = await this.#step(records, signal);
        if (isDone !== undefined) return !isDone;
      }
      return true;
    } catch (error) {
      if (!signal.aborted) this.#current.fail(error);
      return true;
    }
  }

  /** Returns whether all is done; undefined if more is to be done at once. */
  async #step(records: ReplicaRecords, signal: AbortSignal): Promise<boolean | undefined> {
    // The order matters. Each write has the resourceVersion that was read here. A bundle that was
    // read before the Secret cannot lose an authority that this Secret has: a replica that would
    // remove it has read the Secret earlier, and the bundle before that.
    const targets: ReadTarget[] = [];
    for (const target of this.#targets) targets.push(await readTarget(target, signal));
    const secret = await this.#readSecret(signal);
    const bundles = targets.flatMap((target) => target.bundles);
    await this.#serve(secret, bundles, records, signal);
    const nowMs = this.#clock.now();
    const observed = { bundles, secret };
    const isLeader = this.#options.isLeader?.() ?? true;
    if (!isLeader && !this.#mustTakeOver(observed, nowMs)) {
      return this.#served !== "" && secret.next === undefined && this.#urgentMs === undefined;
    }
    const { current } = secret;
    const agreement =
      current === undefined ? disagreement : await records.compare(current.fingerprint, signal);
    const { isOneVersion, isServedByAll } = agreement;
    const isIncomplete = targets.some((target) => {
      return target.isIncomplete || (target.isOutdated && isOneVersion);
    });
    const known = { ...observed, isIncomplete, isServedByAll };
    const step = decideStep(known, this.#needs(observed, nowMs));
    if (step === "wait") return false;
    if (step === "rest" && (this.#hasApplied || !isLeader)) return true;
    try {
      await this.#do(step, secret, { targets, isOneVersion }, signal);
    } catch (error) {
      // Another replica was first. What it wrote decides about the next step.
      if (!isStatusError(error, "Conflict", "AlreadyExists")) throw error;
    }
    return undefined;
  }

  async #readSecret(signal: AbortSignal): Promise<IssuedSecret> {
    const { name, namespace } = this.#options;
    try {
      const object = await this.#client.resource(secrets).get(`${namespace}/${name}`, { signal });
      const { resourceVersion, uid } = object.metadata;
      const version = `${uid} ${resourceVersion}`;
      // Signatures take milliseconds to check.
      if (this.#read?.version !== version) {
        this.#read = { version, secret: await readIssuedSecret(object) };
      }
      return this.#read.secret;
    } catch (error) {
      if (!isStatusError(error, "NotFound")) throw error;
      return readIssuedSecret(undefined);
    }
  }

  /** Serves the certificate of the Secret if every bundle trusts it, and records that. */
  async #serve(
    { current }: IssuedSecret,
    bundles: Observed["bundles"],
    records: ReplicaRecords,
    signal: AbortSignal,
  ): Promise<void> {
    if (current === undefined || !isUsableAt(current, this.#clock.now())) return;
    if (!bundles.every((bundle) => bundle.includes(current.authority))) return;
    const { fingerprint } = current;
    if (fingerprint !== this.#served) {
      signal.throwIfAborted();
      const { authority, certificate, key } = current;
      this.#current.set({ certificate, key, authority });
      this.#served = fingerprint;
      this.#servedMs = Math.min(this.#servedMs, this.#clock.now());
      const until = new Date(current.notAfterMs).toISOString();
      this.#log.info("Webhooks serve a certificate", { secret: this.#options.name, until });
    }
    await records.write(fingerprint, signal);
  }

  /** Whether calls have failed until a leader should have acted. */
  #mustTakeOver(observed: Seen, nowMs: number): boolean {
    if (!isUrgent(observed, nowMs)) {
      this.#urgentMs = undefined;
      return false;
    }
    this.#urgentMs ??= nowMs;
    return nowMs >= this.#urgentMs + takeoverMs;
  }

  #needs({ bundles, secret: { next } }: Seen, nowMs: number): RotationNeeds {
    const { propagationMs, renewBeforeMs } = this.#times;
    const isPublished =
      next !== undefined && bundles.every((bundle) => bundle.includes(next.authority));
    if (!isPublished) this.#published = undefined;
    else if (this.#published?.certificate !== next.certificate) {
      this.#published = { certificate: next.certificate, sinceMs: nowMs };
    }
    return {
      nowMs,
      hosts: this.#hosts,
      renewBeforeMs,
      hasSettled: this.#published !== undefined && nowMs >= this.#published.sinceMs + propagationMs,
      hasServed: nowMs >= this.#servedMs + propagationMs,
    };
  }

  async #do(
    step: Step,
    secret: IssuedSecret,
    { isOneVersion, targets }: { targets: readonly ReadTarget[]; isOneVersion: boolean },
    signal: AbortSignal,
  ): Promise<void> {
    const { authorities, current, next } = secret;
    switch (step) {
      case "issue": {
        const issued = await this.#issue(isOneVersion ? [] : (current?.hosts ?? []));
        const content = { authorities: [issued.authority, ...authorities], current, next: issued };
        await this.#writeSecret(secret, content, signal);
        break;
      }
      case "promote":
        await this.#writeSecret(secret, { authorities, current: next, next: undefined }, signal);
        break;
      case "retire": {
        const kept = authorities.filter((each) => each === current?.authority);
        await this.#writeSecret(secret, { authorities: kept, current, next: undefined }, signal);
        break;
      }
      case "publish":
      case "shrink":
        for (const target of targets) {
          const change = step === "publish" ? "add" : "replace";
          const { bundles, rules } = target;
          if (bundles.length > 0) await writeTarget(target, rules, authorities, change, signal);
        }
        break;
      case "introduce":
      case "rest":
        for (const target of targets) {
          if (target.object === undefined && !isOneVersion) continue;
          const rules = isOneVersion ? target.target.rules : target.rules;
          await writeTarget(target, rules, authorities, "apply", signal);
        }
        this.#hasApplied = true;
        break;
      case "wait":
    }
    if (step !== "rest") {
      this.#log.info("Certificates of webhooks rotate", { secret: this.#options.name, step });
    }
  }

  /** @param others hosts that replicas of another version need */
  #issue(others: readonly string[]): ReturnType<typeof issueCertificate> {
    const { clockSkewMs, validityMs } = this.#times;
    const nowMs = this.#clock.now();
    return issueCertificate({
      name: this.#options.name,
      hosts: [...new Set([...this.#hosts, ...others])],
      notBeforeMs: Math.max(0, nowMs - clockSkewMs),
      notAfterMs: nowMs + validityMs,
    });
  }

  async #writeSecret(
    { object }: IssuedSecret,
    content: SecretContent,
    signal: AbortSignal,
  ): Promise<void> {
    const { name, namespace } = this.#options;
    const data = dataOf(content, object?.data);
    const api = this.#client.resource(secrets);
    const options = { fieldManager: this.#fieldManager, signal };
    if (object === undefined) {
      const metadata = { namespace, name };
      await api.create({ metadata, data }, options);
    } else {
      await api.update({ ...object, data }, options);
    }
  }

  #version(): string {
    const rules = this.#targets.map((target) => target.rules);
    return fnv1a64(JSON.stringify([rules, this.#hosts])).toString(16);
  }

  async #removeRecord(records: ReplicaRecords): Promise<void> {
    const limit = { clock: this.#clock, limitMs: removalMs };
    try {
      await withTimeLimit(limit, (signal) => records.remove(signal));
    } catch (error) {
      this.#current.fail(error);
    }
    this.#records = undefined;
  }
}
