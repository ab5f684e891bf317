import { matchers, simulate, withTestCluster } from "@listwatch/testing";
import { expect, test } from "vitest";
import { greetings } from "../templates/operator/src/greetings.generated.ts";
import { addController, program, webhookCertificates } from "../templates/operator/src/operator.ts";
import { scenario, withWebhooks } from "../templates/operator/tests/world.ts";

const { objects } = withWebhooks;
type Rules = readonly {
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}[];

function rulesOf(role: object): Rules {
  const rules: unknown = Reflect.get(role, "rules");
  return Array.isArray(rules) ? rules : [];
}

/** The roles without one rule, and a name for it. */
const incomplete = objects.flatMap((role) =>
  rulesOf(role).map(({ resources, verbs }, index) => {
    const rules = rulesOf(role).toSpliced(index, 1);
    const left = objects.map((object) => (object === role ? { ...object, rules } : object));
    return { what: `${verbs.join(", ")} of ${resources.join(", ")}`, left };
  }),
);

/**
 * Runs the operator as the tests of the template do, until it has a certificate, and an object has
 * status and event.
 */
function reportsOnce(roles: readonly object[]): Promise<void> {
  return withTestCluster({ ...withWebhooks, objects: roles }, async (cluster) => {
    const manager = cluster.manager({
      name: program,
      election: {},
      client: { fieldManager: program },
    });
    const certificates = webhookCertificates(manager, "greeter");
    cluster.run(program, (signal) => addController(manager).run(signal));
    cluster.run("certificates", (signal) => certificates.run(signal));
    const metadata = { namespace: "team", name: "hello" };
    await cluster.client.resource(greetings).create({ metadata, spec: { message: "Hello" } });
    await cluster.until((state) => matchers.toHaveEvent(state, { reason: "Applied" }).pass);
    await cluster.until(() => certificates.current !== undefined);
    await cluster.until((state) => state.get(greetings, "team/hello")?.status !== undefined);
  })();
}

test("the roles of the template are enough for its simulation", async () => {
  // 500 seeds run in `npm run test:field -- create`.
  const { runs } = await simulate(scenario, { seeds: 2, quietMs: 60_000 });
  expect(runs).toBe(2);
  await reportsOnce(objects);
});

test("there is a rule for each thing that the operator does", () => {
  expect(incomplete.map(({ what }) => what)).toEqual([
    "create, list, patch, watch of configmaps",
    "get, patch of validatingwebhookconfigurations",
    "create, patch of events",
    "get, list, watch of greetings",
    "patch of greetings/status",
    "create of secrets",
    "get, update of secrets",
    "create, delete, list, patch of leases",
    "get, update of leases",
  ]);
});

test.each(incomplete)("without $what a test fails", async ({ left }) => {
  await expect(reportsOnce(left)).rejects.toThrow("without the right to it");
});
