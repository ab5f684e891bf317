// Installs, upgrades, rolls back and removes a chart with helm 3 and 4, which wait for roll-outs,
// against the fake API server with simulated controllers: a step of `npm run test:field`. The last
// line is `N passed, N failed`.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { writeKubeconfig } from "../../packages/fake-apiserver/src/adapters/node-kubeconfig.ts";
import { buildHelm, helmVersions } from "./helm-binary.ts";

const chart = join(import.meta.dirname, "helm-chart");

/** Commands in their order, each with a pattern of its output. */
const steps: readonly (readonly [command: string, output: RegExp])[] = [
  [`install shop ${chart} --wait --wait-for-jobs --timeout 120s`, /^STATUS: deployed$/m],
  [`upgrade shop ${chart} --set image=shop:2 --wait --timeout 120s`, /^REVISION: 2$/m],
  ["rollback shop 1 --wait --timeout 120s", /Rollback was a success/],
  ["history shop", /^3 .*deployed .*Rollback to 1/m],
  [`upgrade shop ${chart} --atomic --timeout 120s`, /^REVISION: 4$/m],
  ["status shop", /^STATUS: deployed$/m],
  ["uninstall shop --wait --timeout 120s", /release "shop" uninstalled/],
  ["list --short", /^$/],
];

interface Answer {
  readonly code: number | null;
  readonly output: string;
}

function run(helm: string, command: string, home: string): Promise<Answer> {
  const env = { ...process.env, HOME: home, KUBECONFIG: join(home, "kubeconfig") };
  const child = spawn(helm, command.split(" "), { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => (output += String(chunk)));
  }
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ code, output }));
  });
}

const counts = { passed: 0, failed: 0 };

async function tour(helm: string, version: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), "listwatch-helm-"));
  await using listener = await listen(new FakeApiServer({ controllers: true }));
  try {
    await writeKubeconfig(join(home, "kubeconfig"), { url: listener.url });
    for (const [command, expected] of steps) {
      // oxlint-disable-next-line no-await-in-loop
      const { code, output } = await run(helm, command, home);
      const isRight = code === 0 && expected.test(output);
      counts[isRight ? "passed" : "failed"] += 1;
      console.log(
        `${isRight ? "ok  " : "FAIL"} helm ${version} ${command.replace(chart, "CHART")}`,
      );
      if (!isRight) console.log(`exit code ${code}, expected ${String(expected)}\n${output}`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

for (const version of helmVersions) {
  const helm = buildHelm(version);
  if (helm === undefined) console.log(`not on this machine: Go, and so helm ${version}`);
  // oxlint-disable-next-line no-await-in-loop
  else await tour(helm, version);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
