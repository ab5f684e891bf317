import { isAlreadyExists, isNotFound, isStatusError } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import type { ClusterState } from "../../src/index.ts";
import { allReady, operator, sites, type Reconcile, type Site, type Tools } from "./site.ts";
import { bug, ignore, keyOf, tellStatus, whenPresent, type Bug } from "./tools.ts";

// Bugs that users of other operators have reported, rewritten small: a site takes the place of
// their resource, and ConfigMaps that of what they create.

const sizeOf = (state: ClusterState, site: Site): string | undefined =>
  state.get(configmaps, `web/volume-${site.metadata.name}`)?.data?.["size"];

/** The size of a site is in a plan, which cannot be changed, and in a volume, which can only grow. */
const resize = (isPlanReplacedFirst: boolean): Reconcile =>
  whenPresent(async (site, tools) => {
    const maps = tools.client.resource(configmaps);
    const { name } = site.metadata;
    const wanted = String(site.spec.pages);
    const data = { size: wanted };
    const plan = tools.maps.store.getByKey(`web/plan-${name}`);
    const metadata = { namespace: "web", name: `volume-${name}` };
    await ignore(maps.create({ metadata, data }), isAlreadyExists);
    const grow = (): Promise<unknown> => maps.patch(`web/volume-${name}`, { data });
    if (!isPlanReplacedFirst) await grow();
    if (plan !== undefined && plan.data?.["size"] !== wanted) {
      await ignore(maps.delete(`web/plan-${name}`), isNotFound);
      if (isPlanReplacedFirst) await grow();
    }
    const draft = { metadata: { namespace: "web", name: `plan-${name}` }, data };
    await ignore(maps.create(draft), isAlreadyExists);
    await tellStatus(site, tools, site.spec.pages);
  });

/** https://github.com/rabbitmq/cluster-operator/issues/782: a volume that never grows. */
const halfResized = bug(
  "it is killed between the two steps of a resize, and takes the second for done",
  { invariant: "eventually: every volume has its size", seed: 68 },
  {
    eventually: {
      "every volume has its size": (state) => {
        const wrong = state.list(sites).find((site) => {
          return sizeOf(state, site) !== String(site.spec.pages);
        });
        return wrong === undefined || `${wrong.metadata.name} has ${sizeOf(state, wrong)}`;
      },
    },
  },
  { broken: operator(() => resize(true)), repaired: operator(() => resize(false)) },
);

const requestsOf = ({ maps }: Tools, { metadata }: Site): readonly string[] =>
  maps.store
    .list()
    .filter(({ metadata: { labels } }) => labels?.["request-of"] === metadata.uid)
    .map((map) => map.metadata.name);

/** Requests a certificate for each site, and waits at most five seconds until its cache shows that. */
const request = (isNamed: boolean): Reconcile =>
  whenPresent(async (site, tools) => {
    const { client, life } = tools;
    const found = requestsOf(tools, site);
    if (found.length > 1) return;
    if (found.length === 0) {
      const { uid } = site.metadata;
      const name = isNamed ? { name: `request-${uid}` } : { generateName: "request-" };
      const metadata = { namespace: "web", ...name, labels: { "request-of": uid } };
      await ignore(client.resource(configmaps).create({ metadata }), isAlreadyExists);
      const deadlineMs = life.clock.now() + 5000;
      while (requestsOf(tools, site).length === 0) {
        if (life.clock.now() >= deadlineMs) throw new Error("The cache does not show the request");
        await sleep(500, { clock: life.clock, signal: life.signal });
      }
    }
    await tellStatus(site, tools, site.spec.pages);
  });

/** https://github.com/cert-manager/cert-manager/issues/3565: requests that block each other. */
const blockedRequests = bug(
  "it requests again when its cache is late, and stops at two requests",
  { invariant: "eventually: every site is ready", seed: 7 },
  { eventually: { "every site is ready": allReady } },
  { broken: operator(() => request(false)), repaired: operator(() => request(true)) },
);

/** Tells since when a site is ready: of each reconcile, or of the change. */
const tellSince = (isEachTime: boolean): Reconcile =>
  whenPresent(async (site, { client, life }) => {
    const { pages } = site.spec;
    if (!isEachTime && site.status?.pages === pages) return;
    const since = new Date(life.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
    const status = { pages, since };
    // A second has passed before the next reconcile of the same object, where there are many.
    await sleep(1000, { clock: life.clock, signal: life.signal });
    await ignore(client.resource(sites).patchStatus(keyOf(site), { status }), isStatusError);
  });

/** https://github.com/strimzi/strimzi-kafka-operator/issues/13079: a loop that feeds itself. */
const newTimes = bug(
  "it writes the time of each reconcile into the status, which causes the next",
  { invariant: "quiet", seed: 1 },
  {},
  { broken: operator(() => tellSince(true)), repaired: operator(() => tellSince(false)) },
);

/** Three bugs from reports of users. */
export const reported: readonly Bug[] = [halfResized, blockedRequests, newTimes];
