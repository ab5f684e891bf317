import {
  createClient,
  isAlreadyExists,
  isConflict,
  isNotFound,
  isStatusError,
} from "@listwatch/client";
import { LeaderElector } from "@listwatch/controller";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import type { ClusterState, Scenario } from "../../src/index.ts";
import {
  allReady,
  operator,
  pagesOf,
  sites,
  type Reconcile,
  type Site,
  type Tools,
} from "./site.ts";
import {
  bug,
  cachedPages,
  ignore,
  keepPages,
  keyOf,
  pageOf,
  storedPages,
  tellStatus,
  whenPresent,
  type Bug,
} from "./tools.ts";
import { untilAborted } from "../support/until-aborted.ts";

function tooManyPages(state: ClusterState): string | undefined {
  for (const site of state.list(sites)) {
    // Three is the most that a user asks for.
    const { length } = pagesOf(state, site);
    if (length > 3) return `${site.metadata.name} has ${length} pages`;
  }
  return undefined;
}

/**
 * Counts the pages of a site in the cache, and creates those that are missing under random names.
 * After a start or an error it asks the server, until the cache has the pages that are there.
 */
function countPages(): Reconcile {
  const known = new Set<string>();
  return whenPresent(async (site, tools) => {
    const { uid } = site.metadata;
    const stored = known.has(uid) ? undefined : await storedPages(tools, site);
    const cached = cachedPages(tools, site);
    known.delete(uid);
    for (let page = (stored ?? cached).length; page < site.spec.pages; page++) {
      const suffix = Math.floor(tools.life.random() * 1e9);
      const object = pageOf(site, `${site.metadata.name}-${suffix}`);
      await tools.client.resource(configmaps).create(object);
    }
    // The cache may not show what a former life has created.
    if (stored?.every((page) => cached.includes(page)) !== false) known.add(uid);
    await tellStatus(site, tools, site.spec.pages);
  });
}

const staleCache = bug(
  "it counts in its own stale cache",
  { invariant: "never: more pages than anyone wanted", seed: 4 },
  { never: { "more pages than anyone wanted": tooManyPages } },
  {
    broken: operator(countPages),
    // The next reconcile of a site waits until the cache shows what this one has created.
    repaired: operator(countPages, { ownWrites: true }),
  },
);

function orphans(state: ClusterState): boolean | string {
  const uids = new Set(state.list(sites).map(({ metadata }) => metadata.uid));
  const orphan = state.list(configmaps).find(({ metadata }) => {
    const uid = metadata.labels?.["site"];
    return uid !== undefined && !uids.has(uid);
  });
  return orphan === undefined || `${orphan.metadata.name} has no site`;
}

const missingOwner = bug(
  "its objects have no owner reference",
  { invariant: "eventually: no page without a site", seed: 2 },
  { eventually: { "no page without a site": orphans } },
  {
    broken: operator(() => whenPresent((site, tools) => keepPages(site, tools, false))),
    repaired: operator(() => whenPresent((site, tools) => keepPages(site, tools))),
  },
);

const lostStatus = bug(
  "it writes the status with update",
  { invariant: "eventually: every site is ready", seed: 1 },
  { eventually: { "every site is ready": allReady } },
  {
    broken: operator(() =>
      whenPresent(async (site, tools) => {
        await keepPages(site, tools);
        const status = { pages: site.spec.pages };
        await ignore(
          tools.client.resource(sites).update({ ...site, status }),
          isConflict,
          isNotFound,
        );
      }),
    ),
    repaired: operator(() =>
      whenPresent(async (site, tools) => {
        await keepPages(site, tools);
        await tellStatus(site, tools, site.spec.pages);
      }),
    ),
  },
);

const finalizer = "example.com/record";

/** Keeps a record outside of the site, which its deletion has to remove. */
const withRecord = (isRemovedFirst: boolean): Reconcile =>
  whenPresent(async (site, { client }) => {
    const maps = client.resource(configmaps);
    const name = `record-${site.metadata.name}`;
    const finalizers = site.metadata.finalizers ?? [];
    const setFinalizers = (wanted: readonly string[]): Promise<unknown> => {
      const { resourceVersion } = site.metadata;
      const patch = { metadata: { resourceVersion, finalizers: wanted } };
      return client.resource(sites).patch(keyOf(site), patch);
    };
    if (site.metadata.deletionTimestamp === undefined) {
      if (!finalizers.includes(finalizer)) await setFinalizers([...finalizers, finalizer]);
      const labels = { record: site.metadata.name };
      const record = { metadata: { namespace: "dns", name, labels } };
      await ignore(maps.create(record), isAlreadyExists);
      return;
    }
    if (!finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((each) => each !== finalizer);
    if (isRemovedFirst) await setFinalizers(rest);
    await ignore(maps.delete(`dns/${name}`), isNotFound);
    if (!isRemovedFirst) await setFinalizers(rest);
  });

function recordsWithoutSite(state: ClusterState): boolean | string {
  const names = new Set(state.list(sites).map(({ metadata }) => metadata.name));
  const left = state.list(configmaps).find(({ metadata }) => {
    const site = metadata.labels?.["record"];
    return site !== undefined && !names.has(site);
  });
  return left === undefined || `${left.metadata.name} is left`;
}

const earlyFinalizer = bug(
  "it removes its finalizer before its record",
  { invariant: "eventually: no record without a site", seed: 52 },
  { eventually: { "no record without a site": recordsWithoutSite } },
  { broken: operator(() => withRecord(true)), repaired: operator(() => withRecord(false)) },
);

const jobsOf = (state: ClusterState, site: Site): number =>
  state.list(configmaps).filter(({ metadata }) => metadata.labels?.["job"] === site.metadata.uid)
    .length;

const repeatedCreate = bug(
  "it repeats a create with generateName after a lost answer",
  { invariant: "never: two jobs of one site", seed: 6 },
  {
    never: {
      "two jobs of one site": (state) => {
        const site = state.list(sites).find((each) => jobsOf(state, each) > 1);
        return site && `${site.metadata.name} has ${jobsOf(state, site)} jobs`;
      },
    },
  },
  {
    broken: operator(() =>
      whenPresent(async (site, { client }) => {
        if (site.status?.job !== undefined) return;
        const labels = { job: site.metadata.uid };
        const generateName = `${site.metadata.name}-`;
        const draft = { metadata: { namespace: "web", generateName, labels } };
        const { metadata } = await client.resource(configmaps).create(draft);
        const status = { job: metadata.name };
        await ignore(client.resource(sites).patchStatus(keyOf(site), { status }), isNotFound);
      }),
    ),
    repaired: operator(() =>
      whenPresent(async (site, { client }) => {
        const labels = { job: site.metadata.uid };
        const name = `job-${site.metadata.uid}`;
        const draft = { metadata: { namespace: "web", name, labels } };
        await ignore(client.resource(configmaps).create(draft), isAlreadyExists);
      }),
    ),
  },
);

/** A change that is missed is never made up for. */
const missedChange = bug(
  "it acts on changes, and misses those that were merged",
  { invariant: "eventually: every site is ready", seed: 1 },
  { eventually: { "every site is ready": allReady } },
  {
    broken: async ({ clock, connection, log, random, signal }) => {
      const client = createClient(connection, { clock, random });
      await using factory = new SharedInformerFactory({ connection, clock, log });
      const informer = factory.informer(sites);
      const tell = async (site: Site): Promise<void> => {
        const status = { pages: site.spec.pages };
        await client
          .resource(sites)
          .patchStatus(keyOf(site), { status })
          .catch(() => undefined);
      };
      informer.addEventHandler({
        onAdd: (site, isInInitialList) => void (isInInitialList ? undefined : tell(site)),
        onUpdate: (old, site) => void (old.spec.pages === site.spec.pages ? undefined : tell(site)),
      });
      factory.start();
      await untilAborted(signal);
    },
    repaired: operator(() =>
      whenPresent((site, tools) => tellStatus(site, tools, site.spec.pages)),
    ),
  },
);

/** A site may be announced half a minute after its creation. */
const announceMs = 30_000;

function ageOf({ metadata }: Site, { life }: Tools): number {
  return life.clock.now() - Date.parse(metadata.creationTimestamp);
}

const lostRequeue = bug(
  "it waits for a time, and nothing wakes it up",
  { invariant: "eventually: every site is ready", seed: 1 },
  { eventually: { "every site is ready": allReady } },
  {
    broken: operator(() =>
      whenPresent(async (site, tools) => {
        if (ageOf(site, tools) < announceMs) return;
        await tellStatus(site, tools, site.spec.pages);
      }),
    ),
    repaired: operator(() =>
      whenPresent(async (site, tools) => {
        const leftMs = announceMs - ageOf(site, tools);
        if (leftMs > 0) return { requeueAfterMs: leftMs };
        return tellStatus(site, tools, site.spec.pages);
      }),
    ),
  },
);

const badName = "Not A Name";

const endlessRetries = bug(
  "it retries at once, for ever, what the server always refuses",
  { invariant: "quiet", seed: 1 },
  {},
  {
    broken: operator(() =>
      whenPresent(async (_site, { client, life }) => {
        const draft = { metadata: { namespace: "web", name: badName } };
        for (;;) {
          try {
            await client.resource(configmaps).create(draft);
            return;
          } catch (error) {
            if (life.signal.aborted || !isStatusError(error)) throw error;
          }
        }
      }),
    ),
    repaired: operator(() =>
      whenPresent(async (site, { client }) => {
        if (site.status?.problem !== undefined) return;
        const draft = { metadata: { namespace: "web", name: badName } };
        try {
          await client.resource(configmaps).create(draft);
        } catch (error) {
          if (!isStatusError(error, "Invalid")) throw error;
          const status = { problem: String(error) };
          await ignore(client.resource(sites).patchStatus(keyOf(site), { status }), isNotFound);
        }
      }),
    ),
  },
);

/** Remembers the newest version that was handled, and compares it in some way. */
const comparedVersions =
  (isNewer: (version: string, than: string) => boolean): (() => Reconcile) =>
  () => {
    const handled = new Map<string, string>();
    return whenPresent(async (site, tools) => {
      const { resourceVersion, uid } = site.metadata;
      if (!isNewer(resourceVersion, handled.get(uid) ?? "0")) return;
      await tellStatus(site, tools, site.spec.pages);
      handled.set(uid, resourceVersion);
    });
  };

const comparedNumbers = bug(
  "it compares resourceVersions as numbers",
  { invariant: "eventually: every site is ready", seed: 10 },
  { eventually: { "every site is ready": allReady } },
  {
    broken: operator(comparedVersions((version, than) => Number(version) > Number(than))),
    repaired: operator(comparedVersions((version, than) => version !== than)),
  },
);

const comparedTexts = bug(
  "it compares resourceVersions as strings",
  { invariant: "eventually: every site is ready", seed: 11 },
  { eventually: { "every site is ready": allReady } },
  {
    broken: operator(comparedVersions((version, than) => version > than)),
    repaired: operator(comparedVersions((version, than) => BigInt(version) > BigInt(than))),
  },
);

const ledger = "web/ledger";

/** Two replicas take turns as leaders, and count their terms in a ledger. */
const termWriter =
  ({ isFenced }: { readonly isFenced: boolean }): Scenario["start"] =>
  async ({ clock, connection, identity, log, number, random, signal }) => {
    const client = createClient(connection, { clock, random });
    const elector = new LeaderElector({
      client,
      clock,
      random,
      identity: `${identity}-${number}`,
      lease: { namespace: "web", name: "operator" },
      telemetry: { log },
    });
    const ends = elector.run(signal);
    const leads = elector.lead(
      async (leadership) => {
        const writer = isFenced ? elector.guard(client) : client;
        const maps = writer.resource(configmaps);
        const found = await ignore(maps.get(ledger), isNotFound);
        const term = String(Number(found?.data?.["term"] ?? "0") + 1);
        const configuration = { metadata: { namespace: "web", name: "ledger" }, data: { term } };
        const write = (): Promise<unknown> =>
          ignore(
            maps.apply(configuration, { fieldManager: "operator", force: true }),
            isStatusError,
          );
        await write();
        for (let writes = 1; writes < 10 && !leadership.signal.aborted; writes++) {
          await sleep(5000, { clock, signal: leadership.signal }).catch(() => undefined);
          if (!leadership.signal.aborted) await write();
        }
      },
      { signal },
    );
    await Promise.all([ends, leads]);
  };

const leaderAfterLoss = bug(
  "a leader writes after its term",
  {
    invariant: "never: an older term writes after a newer one",
    seed: 116,
    // Electors never rest: their runs take the longest.
    times: { convergeMs: 60_000, quietMs: 100_000 },
  },
  {
    replicas: 2,
    never: { "an older term writes after a newer one": olderTerm() },
  },
  {
    broken: termWriter({ isFenced: false }),
    repaired: termWriter({ isFenced: true }),
  },
);

function olderTerm(): (state: ClusterState) => string | undefined {
  let newest = 0;
  let atMs = 0;
  return (state) => {
    // Another run begins.
    if (state.nowMs < atMs) newest = 0;
    atMs = state.nowMs;
    const term = Number(state.get(configmaps, ledger)?.data?.["term"] ?? "0");
    if (term < newest) return `term ${term} after ${newest}`;
    newest = term;
    return undefined;
  };
}

/** Gives each site a port; those that were given are in a Map, or in the status. */
const withPort =
  (portsOf: (tools: Tools, given: Map<string, number>) => readonly number[]) => () => {
    const given = new Map<string, number>();
    return whenPresent(async (site, tools) => {
      if (site.status?.port !== undefined) return;
      const taken = portsOf(tools, given);
      let port = 8000;
      while (taken.includes(port)) port++;
      given.set(site.metadata.uid, port);
      await tools.client.resource(sites).patchStatus(keyOf(site), { status: { port } });
    });
  };

const forgottenMap = bug(
  "it keeps what it gave away in a Map",
  { invariant: "never: two sites with one port", seed: 1 },
  {
    never: {
      "two sites with one port": (state) => {
        const ports = state.list(sites).flatMap(({ status }) => status?.port ?? []);
        const twice = ports.find((port, index) => ports.indexOf(port) !== index);
        return twice === undefined ? undefined : `port ${twice} is given twice`;
      },
    },
  },
  {
    broken: operator(withPort((_tools, given) => [...given.values()])),
    repaired: operator(
      withPort(({ sites: informer }, given) => [
        ...given.values(),
        ...informer.store.list().flatMap(({ status }) => status?.port ?? []),
      ]),
    ),
  },
);

/** Steps of the longest of their shortest stories: faults, upsets and actions. */
export const mostSteps = 5;

/** Classic bugs. */
export const gallery: readonly Bug[] = [
  staleCache,
  missingOwner,
  lostStatus,
  earlyFinalizer,
  repeatedCreate,
  missedChange,
  lostRequeue,
  endlessRetries,
  comparedNumbers,
  comparedTexts,
  leaderAfterLoss,
  forgottenMap,
];
