import { createClient, defineResource } from "@listwatch/client";
import type { ObjectMeta } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { type ApiObject, FakeApiServer } from "@listwatch/fake-apiserver";
import { deployments } from "@listwatch/resources/apps/v1";
import { configmaps, namespaces, pods, secrets } from "@listwatch/resources/core/v1";
import { leases } from "@listwatch/resources/coordination.k8s.io/v1";
import {
  applyWebhookConfigurations,
  conversion,
  convertedVersion,
  fromPlugin,
  mutating,
  routeWebhooks,
  validating,
  type WebhookHandler,
  webhookConfigurations,
} from "@listwatch/webhooks";
import { describe, expect, test } from "vitest";

const service = { namespace: "operators", name: "hooks" };
const named = { name: "hooks", service };

/** A cluster that calls handlers in this process, with their configurations applied. */
async function clusterWith(
  handlers: readonly WebhookHandler[],
  crds: readonly ApiObject[] = [],
): Promise<{
  readonly client: ReturnType<typeof createClient>;
  readonly calls: readonly string[];
  readonly warnings: readonly string[];
}> {
  const calls: string[] = [];
  const warnings: string[] = [];
  const handle = routeWebhooks(handlers);
  const clock = new SimulatedClock();
  const server = new FakeApiServer({
    clock,
    crds,
    webhooks: {
      fetch: (request) => {
        calls.push(new URL(request.url).pathname);
        return handle(request);
      },
    },
  });
  const connection = { server: "http://server", namespace: "shop", fetch: server.fetch };
  const client = createClient(connection, {
    clock,
    fieldManager: "hooks",
    onWarning: ({ text }) => void warnings.push(text),
  });
  for (const name of ["operators", "shop"]) {
    await client.resource(namespaces).create({ metadata: { name } });
  }
  await applyWebhookConfigurations(client, webhookConfigurations(handle.handlers, named));
  return { client, calls, warnings };
}

function deployment(name: string, replicas: number): object {
  const labels = { app: name };
  return {
    metadata: { name, namespace: "shop" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  };
}

describe("a fake API server that calls handlers in its process", () => {
  const dryRuns: boolean[] = [];
  const small = validating(deployments, (review) => {
    dryRuns.push(review.dryRun);
    const { replicas = 1 } = review.object.spec;
    if (replicas > 10) {
      const causes = [{ message: "at most 10", field: "spec.replicas" }];
      review.deny(`${replicas} replicas are too many`, { code: 422, causes });
    }
    if (review.operation === "UPDATE") {
      review.warn(`from ${review.oldObject.spec.replicas} to ${replicas}`);
    }
  });
  const owned = mutating(deployments, ({ object, user }) => {
    object.metadata.annotations = { ...object.metadata.annotations, "a/owner": user.username };
  });

  test("stores a create with the changes of the mutating handler", async () => {
    const { client, calls } = await clusterWith([small, owned]);
    const created = await client.resource(deployments).create(deployment("web", 3) as never);
    expect(created.metadata.annotations).toEqual({ "a/owner": "kubernetes-admin" });
    expect(calls).toEqual(["/mutate/apps/v1/deployments", "/validate/apps/v1/deployments"]);
  });

  test("refuses an update that the validating handler denies, with causes and warnings", async () => {
    const { client, warnings } = await clusterWith([small, owned]);
    const api = client.resource(deployments);
    await api.create(deployment("web", 3) as never);
    await expect(api.patch("shop/web", { spec: { replicas: 11 } })).rejects.toMatchObject({
      code: "LW_STATUS",
      status: {
        code: 422,
        reason: "Invalid",
        message:
          'admission webhook "validate.deployments.apps" denied the request: 11 replicas are too many',
        details: { causes: [{ message: "at most 10", field: "spec.replicas" }] },
      },
    });
    expect((await api.get("shop/web")).spec.replicas).toBe(3);
    expect(warnings).toEqual(["from 3 to 11"]);
  });

  test("reviews a dry run, and stores nothing", async () => {
    const { client } = await clusterWith([small, owned]);
    const api = client.resource(deployments);
    dryRuns.length = 0;
    const shown = await api.create(deployment("web", 3) as never, { dryRun: true });
    expect(shown.metadata.annotations).toEqual({ "a/owner": "kubernetes-admin" });
    expect(dryRuns).toEqual([true]);
    await expect(api.get("shop/web")).rejects.toMatchObject({ status: { code: 404 } });
  });

  test("calls the handlers of a plugin", async () => {
    const plugin = {
      name: "labels",
      match: { resources: ["configmaps"] },
      validate: ({ object }: { readonly object: object | null }) => ({
        allowed: Reflect.get(object ?? {}, "data") !== undefined,
        message: "no data",
      }),
    };
    const { client } = await clusterWith(fromPlugin(plugin));
    const metadata = { namespace: "shop", name: "a" };
    const create = client.resource(configmaps).create({ metadata });
    await expect(create).rejects.toMatchObject({
      status: {
        message: 'admission webhook "validate.labels.plugins" denied the request: no data',
      },
    });
  });

  test("does not depend on the handlers for what the operator needs to run", async () => {
    const refuseAll = fromPlugin({ name: "closed", validate: () => ({ allowed: false }) });
    const { client, calls } = await clusterWith(refuseAll);
    const own = { namespace: "operators", name: "hooks" };
    const container = { name: "a", image: "a" };
    await client.resource(secrets).create({ metadata: own });
    await client.resource(leases).create({ metadata: own, spec: { holderIdentity: "a" } });
    await client.resource(pods).create({ metadata: own, spec: { containers: [container] } });
    await client.resource(namespaces).patch("operators", { metadata: { labels: { a: "b" } } });
    expect(calls).toEqual([]);
    const elsewhere = { namespace: "shop", name: "hooks" };
    await expect(client.resource(secrets).create({ metadata: elsewhere })).rejects.toMatchObject({
      code: "LW_STATUS",
    });
    expect(calls).toEqual(["/validate/plugins/closed"]);
  });

  test("converts an object that was stored in another version", async () => {
    const { client, calls } = await clusterWith([convert], [definition]);
    const metadata = { name: "a", namespace: "shop" };
    await client.resource(widgetsV1).create({ metadata, size: "7" });
    const read = await client.resource(widgetsV2).get("shop/a");
    expect(read).toMatchObject({ apiVersion: "example.com/v2", spec: { size: 7 } });
    expect((await client.resource(widgetsV1).get("shop/a")).size).toBe("7");
    expect(new Set(calls)).toEqual(new Set(["/convert/example.com/widgets"]));
  });
});

interface WidgetV1 {
  readonly metadata?: ObjectMeta;
  readonly size: string;
}
interface WidgetV2 {
  readonly metadata?: ObjectMeta;
  readonly spec: { readonly size: number };
}
const widget = {
  group: "example.com",
  resource: "widgets",
  kind: "Widget",
  scope: "Namespaced",
} as const;
const widgetsV1 = defineResource<WidgetV1>({ ...widget, version: "v1" });
const widgetsV2 = defineResource<WidgetV2>({ ...widget, version: "v2" });
const convert = conversion({
  hub: widgetsV2,
  versions: [
    convertedVersion(widgetsV1, {
      toHub: ({ size }): WidgetV2 => ({ spec: { size: Number(size) } }),
      fromHub: ({ spec }) => ({ size: String(spec.size) }),
    }),
  ],
});
const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    scope: "Namespaced",
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: open } },
      { name: "v2", served: true, storage: false, schema: { openAPIV3Schema: open } },
    ],
  },
};

describe("configurations of handlers", () => {
  test("have rules, policies and the path of each handler", () => {
    const handler = validating(deployments, () => {}, {
      operations: ["DELETE"],
      failurePolicy: "Ignore",
      timeoutSeconds: 3,
      sideEffects: "NoneOnDryRun",
      matchConditions: [{ name: "large", expression: "object.spec.replicas > 1" }],
      namespaceSelector: { matchLabels: { team: "a" } },
      subresource: "scale",
    });
    const caBundle = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
    expect(webhookConfigurations([handler], { ...named, caBundle, labels: { app: "a" } })).toEqual({
      mutating: undefined,
      conversions: [],
      validating: {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "hooks", labels: { app: "a" } },
        webhooks: [
          {
            name: "validate.scale.deployments.apps",
            admissionReviewVersions: ["v1"],
            sideEffects: "NoneOnDryRun",
            failurePolicy: "Ignore",
            timeoutSeconds: 3,
            matchConditions: [{ name: "large", expression: "object.spec.replicas > 1" }],
            clientConfig: {
              service: { ...service, port: 443, path: "/validate/apps/v1/deployments/scale" },
              caBundle: btoa(caBundle),
            },
            namespaceSelector: {
              matchLabels: { team: "a" },
              matchExpressions: [
                { key: "kubernetes.io/metadata.name", operator: "NotIn", values: ["operators"] },
              ],
            },
            rules: [
              {
                operations: ["DELETE"],
                apiGroups: ["apps"],
                apiVersions: ["v1"],
                resources: ["deployments/scale"],
                scope: "Namespaced",
              },
            ],
          },
        ],
      },
    });
  });

  test("name an address outside of the cluster, with the excluded namespaces", () => {
    const handler = mutating(deployments, () => {}, { reinvocationPolicy: "IfNeeded" });
    const url = "https://hooks.example.com/base/";
    const { mutating: configuration } = webhookConfigurations([handler], {
      name: "hooks",
      url,
      excludedNamespaces: [],
    });
    expect(configuration?.webhooks?.[0]).toMatchObject({
      reinvocationPolicy: "IfNeeded",
      clientConfig: { url: "https://hooks.example.com/base/mutate/apps/v1/deployments" },
      namespaceSelector: { matchExpressions: [] },
    });
    expect(() => webhookConfigurations([handler], { name: "hooks", url })).toThrow(
      "Cannot use the option excludedNamespaces: expected the namespaces of the operator",
    );
  });

  test("need one address, and another name for each handler", () => {
    const first = validating(deployments, () => {});
    const second = validating(deployments, () => {}, { path: "/other" });
    expect(() => webhookConfigurations([first, second], named)).toThrow(
      'expected another name for each handler, see their option name, got the string "validate.deployments.apps"',
    );
    expect(() => webhookConfigurations([first], { name: "hooks" })).toThrow(
      "expected either a service or a url",
    );
  });
});
