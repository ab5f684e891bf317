// Installs, upgrades, rolls back and removes a chart with helm, which waits for roll-outs, against
// the fake API server with simulated controllers: a step of `npm run test:field`. The last line is
// `N passed, N failed`.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { writeKubeconfig } from "../../packages/fake-apiserver/src/adapters/node-kubeconfig.ts";
import { cacheFolder } from "../support/cache-folder.ts";

const version = "v3.22.0";
const folder = cacheFolder("helm");
const helm = join(folder, "helm");
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
  ["list --all --short", /^$/],
];

/** Builds helm unless it was built before. */
function isBuilt(): boolean {
  if (existsSync(helm)) return true;
  const { error, status } = spawnSync("go", ["install", `helm.sh/helm/v3/cmd/helm@${version}`], {
    env: { ...process.env, GOBIN: folder },
    stdio: "inherit",
  });
  if (error !== undefined) return false;
  if (status !== 0) throw new Error(`Cannot build helm ${version}`);
  return true;
}

function run(command: string, home: string): Promise<{ code: number | null; output: string }> {
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
if (isBuilt()) {
  const home = mkdtempSync(join(tmpdir(), "listwatch-helm-"));
  await using listener = await listen(new FakeApiServer({ controllers: true }));
  try {
    await writeKubeconfig(join(home, "kubeconfig"), { url: listener.url });
    for (const [command, expected] of steps) {
      const { code, output } = await run(command, home);
      const isRight = code === 0 && expected.test(output);
      counts[isRight ? "passed" : "failed"] += 1;
      console.log(`${isRight ? "ok  " : "FAIL"} helm ${command.replace(chart, "CHART")}`);
      if (!isRight) console.log(`exit code ${code}, expected ${String(expected)}\n${output}`);
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
} else console.log("not on this machine: Go, and so helm");
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
