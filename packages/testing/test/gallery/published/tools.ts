import { createClient, type Client, type ObjectEvent } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { deployments, type DeploymentSpec } from "@listwatch/resources/apps/v1";
import type { ClusterState, Life, Scenario, SimulateOptions } from "../../../src/index.ts";
import { sites, type Site } from "../site.ts";

/** A published operator, rewritten small, and what the simulation finds in it. */
export interface Published {
  /** The invariant that breaks. */
  readonly invariant: string;
  /** A seed that breaks it with the options. */
  readonly seed: number;
  readonly options: SimulateOptions;
  readonly scenario: Scenario;
}

/** A client that repeats nothing by itself, as that of the original. */
export function plainClient({ clock, connection, random }: Life): Client {
  return createClient(connection, { clock, random, retries: 0 });
}

export async function logFailure({ log }: Life, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => log.error(String(error), {}));
}

/** Watches sites without a list, and again when a watch ends, until the signal is aborted. */
export async function watchSites(
  life: Life,
  client: Client,
  { onEvent, pauseMs }: WatchSitesOptions,
): Promise<void> {
  const { clock, signal } = life;
  const watchOnce = async (): Promise<void> => {
    for await (const event of client.resource(sites).watch({ signal, retries: 0 })) {
      if (event.type !== "BOOKMARK" && event.type !== "ERROR") await onEvent(event);
    }
  };
  while (!signal.aborted) {
    await logFailure(life, watchOnce());
    await sleep(pauseMs, { clock, signal }).catch(() => undefined);
  }
}

interface WatchSitesOptions {
  readonly onEvent: (event: ObjectEvent<Site>) => Promise<void> | void;
  /** Pause before the next watch, in milliseconds. */
  readonly pauseMs: number;
}

/** The spec of a Deployment with as many replicas as the site has pages. */
export function deploymentSpec({ metadata: { name }, spec }: Site): DeploymentSpec {
  const labels = { deployment: name };
  return {
    replicas: spec.pages,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "main" }] } },
  };
}

/** Every site has a Deployment of its size. */
export function isDeployed(state: ClusterState): boolean | string {
  for (const { metadata, spec } of state.list(sites)) {
    const { name, namespace } = metadata;
    const replicas = state.get(deployments, `${namespace}/${name}`)?.spec.replicas ?? 0;
    if (replicas !== spec.pages) return `${name} has ${replicas} of ${spec.pages} replicas`;
  }
  return true;
}
