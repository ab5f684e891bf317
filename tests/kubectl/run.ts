// Runs tours of kubectl commands against the fake API server and checks their output.
//
//   npm run test:kubectl -- [--kubectl PATH] [TOUR...]
import { parseArgs } from "node:util";
import { kubectlVersion } from "./kubectl.ts";
import { runTour, tourOfWatch } from "./run-tour.ts";
import { accessTour } from "./tours/access.ts";
import { applyTour } from "./tours/apply.ts";
import { controllerTour } from "./tours/controllers.ts";
import { createTour } from "./tours/create.ts";
import { firstTour } from "./tours/first.ts";
import { podTour } from "./tours/pods.ts";
import { workloadTour } from "./tours/workloads.ts";

const tours = [firstTour, createTour, applyTour, workloadTour, podTour, accessTour, controllerTour];

const { values, positionals } = parseArgs({
  options: { kubectl: { type: "string", default: "kubectl" } },
  allowPositionals: true,
});
const path = values.kubectl;
const version = kubectlVersion(path);
if (version === undefined) {
  console.error(
    `${path} was not found. Install it: apt-get install kubernetes-client (Debian), brew install kubectl (macOS), or see https://kubernetes.io/docs/tasks/tools/`,
  );
  process.exit(1);
}
console.log(`kubectl ${version}`);
const minor = Number(/v1\.(\d+)/.exec(version)?.[1]);

const counts = [];
for (const tour of tours) {
  if (positionals.length > 0 && !positionals.includes(tour.name)) continue;
  console.log(tour.name);
  counts.push(await runTour(path, tour, minor));
}
if (positionals.length === 0) counts.push(await tourOfWatch(path));
const passed = counts.reduce((sum, each) => sum + each.passed, 0);
const failed = counts.reduce((sum, each) => sum + each.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
