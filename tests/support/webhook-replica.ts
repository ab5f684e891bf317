// One replica of an operator of webhooks: in the process of a test, or in a separate one.
import type { Client, Resource } from "@listwatch/client";
import { defineResource } from "@listwatch/client";
import { type Clock, type KubernetesObject, silentLog, systemClock } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import {
  conversion,
  convertedVersion,
  mutating,
  routeWebhooks,
  validating,
  webhookConfigurations,
  type WebhookHandler,
} from "@listwatch/webhooks";
import { rotatedCertificates } from "@listwatch/webhooks/certificates";
import { serveWebhooks, type WebhookServer } from "@listwatch/webhooks/node";

export interface WidgetV1 extends KubernetesObject {
  readonly size: string;
}
export interface WidgetV2 extends KubernetesObject {
  readonly spec: { readonly size: number };
}

/** Names of an operator, and its address. */
export interface ReplicaSettings {
  /** Makes the names of objects unique in the cluster. */
  readonly suffix: string;
  /** Namespace whose objects are reviewed. */
  readonly namespace: string;
  /** Namespace and name of the Secret and the configurations. */
  readonly own: string;
  /** Port that API servers call. */
  readonly port: number;
  /** Whether it is of the second version, which has another webhook as well. */
  readonly isSecond: boolean;
}

/** Called with what a replica does. */
export interface ReplicaEvents {
  authority(authority: string): void;
  dryRun(): void;
}

/** Annotation that the mutating handler sets. */
export const reviewed = "example.com/reviewed";
/** Name of the webhook that only the second version has. */
export const addedWebhook = "added.configmaps.core";

export function widgetsOf(suffix: string): {
  readonly v1: Resource<WidgetV1>;
  readonly v2: Resource<WidgetV2>;
} {
  const kind = { group: `${suffix}.example.com`, resource: "widgets", kind: "Widget" } as const;
  return {
    v1: defineResource<WidgetV1>({ ...kind, version: "v1", scope: "Namespaced" }),
    v2: defineResource<WidgetV2>({ ...kind, version: "v2", scope: "Namespaced" }),
  };
}

/** Resolves when the replica has its certificate and listens. */
export function serveReplica(
  client: Client,
  settings: ReplicaSettings,
  events: ReplicaEvents,
  clock: Clock = systemClock,
): Promise<WebhookServer> {
  const { own, port } = settings;
  const handlers = handlersOf(settings, events, clock);
  const certificates = rotatedCertificates(client, {
    namespace: own,
    name: own,
    configurations: webhookConfigurations(handlers, {
      name: own,
      url: `https://127.0.0.1:${port}`,
      excludedNamespaces: [own],
    }),
    // A rotation each 15 s, with enough time for a busy machine.
    times: {
      validityMs: 75_000,
      renewBeforeMs: 60_000,
      checkMs: 500,
      propagationMs: 2000,
      replicaTimeoutMs: 20_000,
      // A simulated clock may be ahead of that of TLS.
      clockSkewMs: 3_600_000,
    },
    clock,
    onError: () => {},
    log: silentLog,
  });
  certificates.onChange(({ authority = "" }) => events.authority(authority));
  const options = { host: "127.0.0.1", port: 0, clock };
  return serveWebhooks(routeWebhooks(handlers), { certificates, ...options });
}

function handlersOf(
  { isSecond, namespace, suffix }: ReplicaSettings,
  events: ReplicaEvents,
  clock: Clock,
): readonly WebhookHandler[] {
  const { v1, v2 } = widgetsOf(suffix);
  const options = {
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    onError: () => {},
    clock,
  };
  return [
    mutating(
      configmaps,
      ({ object }) => {
        object.metadata.annotations = { ...object.metadata.annotations, [reviewed]: "yes" };
      },
      options,
    ),
    validating(
      configmaps,
      (review) => {
        const { name } = review.object.metadata;
        if (review.dryRun) events.dryRun();
        if (name === "bad") review.deny("bad is no name");
        const [old, size] = [review.oldObject, review.object].map((one) => one?.data?.["size"]);
        if (Number(size) < Number(old)) review.deny(`size ${size} is less than ${old}`);
      },
      options,
    ),
    ...(isSecond
      ? [validating(configmaps, () => {}, { ...options, name: addedWebhook, path: "/added" })]
      : []),
    conversion({
      hub: v2,
      versions: [
        convertedVersion(v1, {
          toHub: ({ size }) => ({ spec: { size: Number(size) } }),
          fromHub: ({ spec }) => ({ size: String(spec.size) }),
        }),
      ],
    }),
  ];
}
