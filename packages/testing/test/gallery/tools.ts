import { isAlreadyExists, isNotFound } from "@listwatch/client";
import { controllerReference } from "@listwatch/controller";
import { configmaps } from "@listwatch/resources/core/v1";
import type { Scenario } from "../../src/index.ts";
import {
  actions,
  definition,
  sites,
  type Reconcile,
  type Site,
  type SiteKey,
  type Tools,
} from "./site.ts";

/** A classic bug of operators, and its repair. */
export interface Bug {
  readonly name: string;
  /** The invariant that shows it. */
  readonly invariant: string;
  readonly broken: Scenario;
  readonly repaired: Scenario;
  /** The first seed that shows it. */
  readonly seed: number;
  /** Durations of its runs, in milliseconds of simulated time. */
  readonly times: Times;
}

interface Times {
  readonly convergeMs: number;
  readonly quietMs: number;
}

/** Shorter than the defaults, and long enough to notice that a watch has been silent for 90 s. */
export const usualTimes: Times = { convergeMs: 300_000, quietMs: 200_000 };

type Conditions = Pick<Scenario, "actions" | "eventually" | "never" | "objects" | "replicas">;

interface Operators {
  readonly broken: Scenario["start"];
  readonly repaired: Scenario["start"];
}

export function bug(
  name: string,
  {
    invariant,
    seed,
    times = usualTimes,
  }: Pick<Bug, "invariant" | "seed"> & Partial<Pick<Bug, "times">>,
  conditions: Conditions,
  starts: Operators,
): Bug {
  const scenario = (start: Scenario["start"]): Scenario => ({
    name,
    definitions: [definition],
    actions,
    ...conditions,
    start,
  });
  return {
    name,
    invariant,
    seed,
    times,
    broken: scenario(starts.broken),
    repaired: scenario(starts.repaired),
  };
}

export async function ignore<T>(
  work: Promise<T>,
  ...kinds: readonly ((error: unknown) => boolean)[]
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (kinds.some((isKind) => isKind(error))) return undefined;
    throw error;
  }
}

export function pageOf(site: Site, name: string, isOwned = true) {
  const ownerReferences = isOwned ? { ownerReferences: [controllerReference(site, sites)] } : {};
  const labels = { site: site.metadata.uid };
  return { metadata: { namespace: "web", name, labels, ...ownerReferences }, data: {} };
}

/** The pages of a site in the cache. */
export function cachedPages({ maps }: Tools, { metadata }: Site): readonly string[] {
  return maps.store
    .list()
    .filter((map) => map.metadata.labels?.["site"] === metadata.uid)
    .map((map) => map.metadata.name);
}

/** The pages of a site in the server. */
export async function storedPages(
  { client }: Tools,
  { metadata }: Site,
): Promise<readonly string[]> {
  const labelSelector = `site=${metadata.uid}`;
  const { items } = await client.resource(configmaps).list({ namespace: "web", labelSelector });
  return items.map((map) => map.metadata.name);
}

/** Creates and deletes pages until there are as many as wanted, by number; repeats do no harm. */
export async function keepPages(site: Site, tools: Tools, isOwned = true): Promise<void> {
  const { name } = site.metadata;
  const maps = tools.client.resource(configmaps);
  const wanted = Array.from({ length: site.spec.pages }, (_, index) => `${name}-${index}`);
  const held = cachedPages(tools, site);
  for (const page of wanted.filter((each) => !held.includes(each))) {
    await ignore(maps.create(pageOf(site, page, isOwned)), isAlreadyExists);
  }
  for (const page of held.filter((each) => !wanted.includes(each))) {
    await ignore(maps.delete(`web/${page}`), isNotFound);
  }
}

/** Tells the number of pages in the status, if it differs. */
export async function tellStatus(site: Site, tools: Tools, pages: number): Promise<void> {
  if (site.status?.pages === pages) return;
  const key = keyOf(site);
  await ignore(tools.client.resource(sites).patchStatus(key, { status: { pages } }), isNotFound);
}

export function keyOf({ metadata }: Site): SiteKey {
  return `${metadata.namespace}/${metadata.name}`;
}

export const whenPresent =
  (work: (site: Site, tools: Tools) => ReturnType<Reconcile>): Reconcile =>
  async (key, tools) => {
    const site = tools.sites.store.getByKey(key);
    return site === undefined ? undefined : work(site, tools);
  };
