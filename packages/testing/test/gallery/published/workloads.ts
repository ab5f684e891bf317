import { deployments } from "@listwatch/resources/apps/v1";
import type { Life } from "../../../src/index.ts";
import { actions, definition, sites, type Site } from "../site.ts";
import { keyOf, usualTimes } from "../tools.ts";
import {
  deploymentSpec,
  isDeployed,
  logFailure,
  plainClient,
  watchSites,
  type Published,
} from "./tools.ts";

/** Handles events one at a time; one that fails is logged, and the next watch repeats it. */
async function start(life: Life): Promise<void> {
  const client = plainClient(life);
  const all = client.resource(deployments);
  const handle = async (site: Site): Promise<void> => {
    const key = keyOf(site);
    const { name, namespace } = site.metadata;
    const spec = deploymentSpec(site);
    try {
      await all.get(key);
      await all.patch(key, { spec: { replicas: spec.replicas } });
    } catch {
      await all.create({ metadata: { name, namespace }, spec });
    }
  };
  const tell = async (site: Site): Promise<void> => {
    if (site.status?.pages === site.spec.pages) return;
    await client.resource(sites).patchStatus(keyOf(site), { status: { pages: site.spec.pages } });
  };
  await watchSites(life, client, {
    pauseMs: 200,
    onEvent: async ({ object, type }) => {
      if (type === "DELETED") return;
      // A status that cannot be written is logged by the framework.
      if (type === "ADDED") await logFailure(life, tell(object));
      await logFailure(
        life,
        handle(object).then(() => tell(object)),
      );
    },
  });
}

/**
 * https://github.com/demeter-run/workloads, operator/src/frontend at commit 484dfb45: nothing
 * repeats a write that failed.
 */
export const workloads: Published = {
  invariant: "eventually: every site is deployed",
  seed: 85,
  // Each watch that begins writes all Deployments again, which is not quiet.
  options: { ...usualTimes, quietMs: 0 },
  scenario: {
    name: "demeter-run/workloads",
    start,
    definitions: [definition],
    actions,
    eventually: { "every site is deployed": isDeployed },
  },
};
