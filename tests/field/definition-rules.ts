// Creates the definitions of well-known projects on a fake API server, which compiles their rules:
// a step of `npm run test:field`. The files are those of released Go modules, which the first run
// downloads. The last line is `N passed, N failed`, where N counts definitions with rules.
//
//   node tests/field/definition-rules.ts [PROJECT...]
import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import type { CustomResourceDefinition } from "@listwatch/resources/apiextensions.k8s.io/v1";
import { type Project, projects } from "./custom-resources/projects.ts";
import { hasGo, readDefinitions } from "./custom-resources/released-files.ts";

/** Projects with rules in addition to those with samples. */
const ruledProjects: readonly Project[] = [
  {
    name: "Cluster API AWS",
    module: "sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0",
    definitions: ["config/crd/bases/*.yaml"],
  },
  {
    name: "Envoy Gateway",
    module: "github.com/envoyproxy/gateway@v1.9.1",
    definitions: ["charts/gateway-helm/charts/crds/crds/generated/*.yaml"],
  },
  {
    name: "kro",
    module: "github.com/kubernetes-sigs/kro@v0.9.4",
    definitions: ["helm/crds/*.yaml"],
  },
];
/** All projects in these releases have more. */
const leastWithRules = 100;

const all = [...projects, ...ruledProjects];
const wanted = all.filter(({ name }) => {
  const parts = process.argv.slice(2);
  return parts.length === 0 || parts.some((part) => name.includes(part));
});
const server = new FakeApiServer();
const path = "http://localhost/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Counts the rules in a schema. */
function countRules(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, one) => sum + countRules(one), 0);
  if (!isRecord(value)) return 0;
  const own = value["x-kubernetes-validations"];
  const count = Array.isArray(own) ? own.length : 0;
  return Object.values(value).reduce((sum: number, one) => sum + countRules(one), count);
}

function isDefinition(document: unknown): document is CustomResourceDefinition {
  const { apiVersion, kind } = recordOf(document);
  return apiVersion === "apiextensions.k8s.io/v1" && kind === "CustomResourceDefinition";
}

/** Returns why the server does not compile the rules of a definition; undefined if it does. */
async function problemOf(definition: CustomResourceDefinition): Promise<string | undefined> {
  const response = await server.fetch(
    new Request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(definition),
    }),
  );
  const { message, reason } = recordOf(await response.json());
  // Two projects may have the same definition.
  if (!response.ok && reason !== "AlreadyExists") return String(message);
  const warning = response.headers.get("warning") ?? "";
  return warning.includes("cannot evaluate here") ? warning : undefined;
}

const total = { definitions: 0, withRules: 0, rules: 0, failed: 0 };
if (!hasGo) console.log("not on this machine: Go, and so the released files of projects");
for (const project of wanted) {
  const own = readDefinitions(project).filter(isDefinition);
  let [rules, withRules] = [0, 0];
  for (const definition of own) {
    const count = countRules(definition);
    const problem = await problemOf(definition);
    rules += count;
    if (count > 0) withRules++;
    if (problem === undefined) continue;
    total.failed++;
    console.log(`FAIL ${project.name}, ${definition.metadata?.name ?? ""}: ${problem}`);
  }
  total.definitions += own.length;
  total.withRules += withRules;
  total.rules += rules;
  console.log(
    `${project.name}: ${withRules} of ${own.length} definitions have rules, ${rules} in all`,
  );
}
console.log(
  `${total.withRules} of ${total.definitions} definitions have rules, ${total.rules} in all`,
);
// A release may move its files.
const isWhole = hasGo && wanted.length === all.length;
if (isWhole && total.withRules < leastWithRules) {
  console.log(`FAIL: expected ${leastWithRules} definitions with rules, got ${total.withRules}`);
  total.failed++;
}
console.log(`${total.withRules - total.failed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
