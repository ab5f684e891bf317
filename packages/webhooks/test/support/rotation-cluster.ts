/* oxlint-disable vitest/no-standalone-expect -- the methods are called by tests */
import { type Client, createClient } from "@listwatch/client";
import { isRecord, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import {
  mutatingwebhookconfigurations,
  validatingwebhookconfigurations,
} from "@listwatch/resources/admissionregistration.k8s.io/v1";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import { leases } from "@listwatch/resources/coordination.k8s.io/v1";
import { configmaps, namespaces, type Secret, secrets } from "@listwatch/resources/core/v1";
import {
  conversion,
  convertedVersion,
  mutating,
  validating,
  type WebhookConfigurations,
  type WebhookHandler,
  webhookConfigurations,
} from "@listwatch/webhooks";
import {
  type CertificateSource,
  rotatedCertificates,
  type RotatedCertificateOptions,
} from "@listwatch/webhooks/certificates";
import { expect } from "vitest";

const namespace = "operators";
export const secretKey = "operators/hooks";
const widget = { group: "example.com", resource: "widgets", kind: "Widget" } as const;
const v1 = { ...widget, version: "v1" };
const v2 = { ...widget, version: "v2" };
const definition = "widgets.example.com";

export const times = {
  validityMs: 300_000,
  renewBeforeMs: 200_000,
  checkMs: 5000,
  propagationMs: 3000,
  replicaTimeoutMs: 15_000,
} as const;

/** Where a replica loses a write. */
export interface Loss {
  /** Number of the write, from 0. */
  readonly write: number;
  /** Whether the server does not get it, or its answer does not arrive. */
  readonly side: "answer" | "request";
  /** Whether the replica ends there. */
  readonly kills: boolean;
}

/** A process of the operator. */
export interface Replica {
  readonly name: string;
  readonly source: CertificateSource;
  readonly errors: readonly unknown[];
  /** Writes that the server got or that were lost. */
  readonly writes: readonly string[];
  loss: Loss | undefined;
  isAlive: boolean;
  /** Ends the process without any clean-up. */
  kill(): void;
  stop(): Promise<void>;
}

/** A fake API server with replicas of an operator, which checks the trust after each answer. */
export class RotationCluster {
  readonly clock = new SimulatedClock({ startMs: Date.UTC(2027, 0, 1) });
  readonly server = new FakeApiServer({ clock: this.clock, webhooks: { fetch: refuse } });
  readonly admin: Client = this.#clientOf((request) => this.server.fetch(request));
  readonly replicas: Replica[] = [];
  /** Bundles of each webhook, as the server has them. */
  readonly #published = new Map<string, string>();
  /** Certificates that were not trusted at some moment. */
  readonly violations: string[] = [];
  leader: string | undefined;
  /** Whether a foreign change is in progress, so that trust is not checked. */
  isForeign = false;

  async prepare(): Promise<void> {
    await this.admin.resource(namespaces).create({ metadata: { name: namespace } });
    await this.admin.resource(customresourcedefinitions).create({
      metadata: { name: definition },
      spec: {
        group: widget.group,
        names: { plural: widget.resource, singular: "widget", kind: "Widget" },
        scope: "Namespaced",
        versions: [v1, v2].map(({ version }) => ({
          name: version,
          served: true,
          storage: version === "v1",
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        })),
      },
    });
  }

  start(name: string, options: Partial<RotatedCertificateOptions> = {}): Replica {
    const errors: unknown[] = [];
    const writes: string[] = [];
    const stop = new AbortController();
    const client = this.#clientOf((request) => this.#send(replica, writes, request));
    const source = rotatedCertificates(client, {
      namespace,
      name: "hooks",
      configurations: configurations(),
      isLeader: () => this.leader === undefined || this.leader === name,
      times,
      clock: this.clock,
      onError: (error) => void errors.push(error),
      log: silent,
      ...options,
    });
    const replica: Replica = {
      ...{ name, source, errors, writes, loss: undefined, isAlive: true },
      kill: () => {
        replica.isAlive = false;
        stop.abort();
      },
      stop: async () => {
        stop.abort();
        await ended;
        replica.isAlive = false;
      },
    };
    source.onChange(() => this.#check(`${name} serves`));
    const ended = source.run(stop.signal);
    this.replicas.push(replica);
    return replica;
  }

  /** Names of the living replicas' certificates, without repetitions. */
  get served(): readonly (string | undefined)[] {
    const living = this.replicas.filter(({ isAlive }) => isAlive);
    return [...new Set(living.map(({ source }) => source.current?.certificate))];
  }

  /** Number of authorities in each bundle. */
  get bundleSizes(): readonly number[] {
    return [...this.#published.values()].map((bundle) => bundle.split("BEGIN").length - 1);
  }

  get publishedTo(): readonly string[] {
    return [...this.#published.keys()].toSorted();
  }

  /** Removes the authorities from all configurations, as a program does that knows none. */
  async spoilBundles(): Promise<void> {
    this.isForeign = true;
    const patch = [{ op: "remove", path: "/webhooks/0/clientConfig/caBundle" }] as const;
    const path = "/spec/conversion/webhook/clientConfig/caBundle";
    const { admin } = this;
    const options = { type: "json" } as const;
    await admin.resource(mutatingwebhookconfigurations).patch("hooks", patch, options);
    await admin.resource(validatingwebhookconfigurations).patch("hooks", patch, options);
    await admin
      .resource(customresourcedefinitions)
      .patch(definition, [{ op: "remove", path }], options);
  }

  /** Advances to the moment at which the first bundle has as many authorities. */
  async untilBundleHas(size: number): Promise<void> {
    for (let second = 0; second < 300 && this.bundleSizes[0] !== size; second += 1) {
      await this.clock.advance(1000);
    }
    expect(this.bundleSizes[0]).toBe(size);
  }

  /** Names of the validating webhooks, without their verb. */
  async rules(): Promise<readonly string[]> {
    const { webhooks = [] } = await this.admin
      .resource(validatingwebhookconfigurations)
      .get("hooks");
    return webhooks.map(({ name }) => name.replace("validate.", ""));
  }

  secret(): Promise<Secret> {
    return this.admin.resource(secrets).get(secretKey);
  }

  async recordCount(): Promise<number> {
    return (await this.admin.resource(leases).list({ namespace })).items.length;
  }

  /** Everything has settled: one authority, one certificate, and a record for each replica. */
  async expectSettled(): Promise<void> {
    expect(this.violations).toEqual([]);
    expect(this.served).toHaveLength(1);
    expect(this.served[0]).toBeDefined();
    expect(this.bundleSizes).toEqual([1, 1, 1]);
    const data = recordOf((await this.secret()).data);
    expect(Object.keys(data).toSorted()).toEqual(["ca.crt", "tls.crt", "tls.key"]);
    expect(await this.recordCount()).toBe(this.replicas.filter(({ isAlive }) => isAlive).length);
  }

  async end(): Promise<void> {
    const stopped = Promise.all(this.replicas.map((replica) => replica.stop()));
    await this.clock.advance(10_000);
    await stopped;
    expect(this.clock.pendingTimers).toBe(0);
  }

  #clientOf(send: (request: Request) => Promise<Response>): Client {
    const answer = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = await send(new Request(input, init));
      this.#follow(await response.clone().text());
      return response;
    };
    const connection = { server: "http://server", namespace, fetch: answer };
    return createClient(connection, { clock: this.clock });
  }

  async #send(replica: Replica, writes: string[], request: Request): Promise<Response> {
    if (!replica.isAlive) throw new TypeError("the process has ended");
    if (request.method === "GET") return this.server.fetch(request);
    const { kills = false, side, write } = replica.loss ?? {};
    const isLost = write === writes.length;
    writes.push(`${request.method} ${new URL(request.url).pathname}`);
    if (!isLost) return this.server.fetch(request);
    if (side === "answer") this.#follow(await (await this.server.fetch(request)).text());
    if (kills) replica.kill();
    throw new TypeError("the connection is reset");
  }

  /** Takes the bundles from an answer. */
  #follow(text: string): void {
    const object = recordOf(JSON.parse(text));
    const { name } = recordOf(object["metadata"]);
    const { webhooks } = object;
    const { webhook } = recordOf(recordOf(object["spec"])["conversion"]);
    const called = [webhook, ...(Array.isArray(webhooks) ? webhooks : [])].filter(isRecord);
    const key = `${stringOf(object["kind"])} ${stringOf(name)}`;
    for (const known of this.#published.keys()) {
      if (known.startsWith(`${key}#`)) this.#published.delete(known);
    }
    for (const [index, one] of called.entries()) {
      const { caBundle } = recordOf(one["clientConfig"]);
      this.#published.set(index === 0 ? key : `${key}#${index}`, atob(stringOf(caBundle)));
    }
    this.#check(stringOf(object["kind"]));
  }

  #check(what: string): void {
    if (this.isForeign) return;
    for (const { isAlive, name, source } of this.replicas) {
      if (!isAlive || source.current === undefined) continue;
      const { authority = "" } = source.current;
      for (const [webhook, bundle] of this.#published) {
        if (!bundle.includes(authority)) {
          this.violations.push(`${name} is not trusted by ${webhook} after ${what}`);
        }
      }
    }
  }
}

/** @param others handlers in addition to those of the first version */
export function configurations(others: readonly WebhookHandler[] = []): WebhookConfigurations {
  const untyped = { toHub: (object: object) => object, fromHub: (object: object) => object };
  const handlers = [
    validating(configmaps, () => {}),
    mutating(configmaps, () => {}),
    conversion({ hub: v2, versions: [convertedVersion(v1, untyped)] }),
    ...others,
  ];
  return webhookConfigurations(handlers, {
    name: "hooks",
    service: { namespace, name: "hooks" },
  });
}

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function refuse(): Promise<Response> {
  return Promise.reject(new TypeError("no webhook is called here"));
}
