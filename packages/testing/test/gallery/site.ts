import { createClient, defineResource, type Client } from "@listwatch/client";
import { Controller, type ReconcileResult } from "@listwatch/controller";
import { configmaps, type ConfigMap } from "@listwatch/resources/core/v1";
import { SharedInformerFactory, type Informer } from "@listwatch/shared-informer";
import type { ActionContext, ClusterState, Life, Scenario } from "../../src/index.ts";

/** A custom resource: a site with some pages, which are ConfigMaps. */
export interface Site {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly finalizers?: readonly string[];
  };
  readonly spec: { readonly pages: number };
  readonly status?: SiteStatus;
}

export interface SiteStatus {
  readonly pages?: number;
  readonly port?: number;
  readonly job?: string;
  readonly problem?: string;
}

export const sites = defineResource<Site>({
  group: "example.com",
  version: "v1",
  resource: "sites",
  kind: "Site",
  scope: "Namespaced",
  subresources: ["status"],
});

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

export const definition: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { kind: "Site", plural: "sites", singular: "site" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: { type: "object", properties: { spec: anything, status: anything } },
        },
      },
    ],
  },
};

export type SiteKey = `${string}/${string}`;

/** Help for a reconcile of these operators. */
export interface Tools {
  readonly client: Client;
  readonly sites: Informer<Site>;
  readonly maps: Informer<ConfigMap>;
  readonly life: Life;
}

export type Reconcile = (key: SiteKey, tools: Tools) => Promise<ReconcileResult | void>;

/**
 * Runs an operator of sites around its reconcile, which is created for each life.
 *
 * @param ownWrites whether reconciles write through the client of their context
 */
export function operator(
  createReconcile: () => Reconcile,
  { ownWrites = false }: { readonly ownWrites?: boolean } = {},
): Scenario["start"] {
  return async (life) => {
    const { clock, connection, log, random, signal } = life;
    const client = createClient(connection, { clock, random });
    await using factory = new SharedInformerFactory({ connection, clock, log });
    const tools = {
      client,
      sites: factory.informer(sites),
      maps: factory.informer(configmaps),
      life,
    };
    const reconcile = createReconcile();
    const controller = new Controller({
      informer: tools.sites,
      client: ownWrites ? client : undefined,
      clock,
      telemetry: { log },
      reconcile: (key, context) =>
        reconcile(key, ownWrites ? { ...tools, client: context.client } : tools),
    });
    controller.owns(tools.maps, sites);
    factory.start();
    await controller.run(signal);
  };
}

/** The pages of a site that exist, as ConfigMaps with its label. */
export function pagesOf(state: ClusterState, { metadata }: Site): readonly ConfigMap[] {
  return state.list(configmaps).filter((map) => map.metadata.labels?.["site"] === metadata.uid);
}

/** Users create, change and delete two sites. */
export const actions: NonNullable<Scenario["actions"]> = {
  "create site a": (context) => createSite(context, "a"),
  "create site b": (context) => createSite(context, "b"),
  "change the pages of a": async ({ client, random }) => {
    const pages = 1 + Math.floor(random() * 3);
    await client.resource(sites).patch("web/a", { spec: { pages } });
  },
  "delete site a": ({ client }) => client.resource(sites).delete("web/a"),
};

async function createSite({ client, random }: ActionContext, name: string): Promise<void> {
  const pages = 1 + Math.floor(random() * 3);
  await client.resource(sites).create({ metadata: { namespace: "web", name }, spec: { pages } });
}

/** Whether the status tells the wanted number of pages. */
function isReady({ spec, status }: Site): boolean {
  return status?.pages === spec.pages;
}

/** Every site is ready. */
export function allReady(state: ClusterState): boolean | string {
  const late = state.list(sites).find((site) => !isReady(site));
  return late === undefined || `${late.metadata.name} is not ready`;
}
