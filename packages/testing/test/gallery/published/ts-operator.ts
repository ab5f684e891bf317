import { deployments } from "@listwatch/resources/apps/v1";
import type { Life } from "../../../src/index.ts";
import { actions, definition, type Site } from "../site.ts";
import { keyOf, usualTimes } from "../tools.ts";
import {
  deploymentSpec,
  isDeployed,
  logFailure,
  plainClient,
  watchSites,
  type Published,
} from "./tools.ts";

/** Creates a Deployment a second after an event, and drops all events during that second. */
async function start(life: Life): Promise<void> {
  const client = plainClient(life);
  const all = client.resource(deployments);
  let isScheduled = false;
  const reconcile = async (site: Site): Promise<void> => {
    isScheduled = false;
    const key = keyOf(site);
    const { name, namespace } = site.metadata;
    const spec = deploymentSpec(site);
    try {
      const held = await all.get(key);
      await logFailure(life, all.update({ ...held, spec }));
    } catch {
      await logFailure(life, all.create({ metadata: { name, namespace }, spec }));
    }
  };
  await watchSites(life, client, {
    pauseMs: 0,
    onEvent: async ({ object, type }) => {
      if (type === "DELETED") return logFailure(life, all.delete(keyOf(object)));
      if (isScheduled) return;
      isScheduled = true;
      // The timer of the runtime, which the simulation replaces.
      setTimeout(() => void reconcile(object), 1000);
    },
  });
}

/**
 * https://github.com/kainlite/ts-operator, src/index.ts at commit f7bdf236: one flag for the timers
 * of all objects.
 */
export const tsOperator: Published = {
  invariant: "eventually: every site is deployed",
  seed: 10,
  options: { ...usualTimes, faults: "none" },
  scenario: {
    name: "kainlite/ts-operator",
    start,
    definitions: [definition],
    actions,
    eventually: { "every site is deployed": isDeployed },
  },
};
