import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";
import { specsIn } from "./ginkgo.ts";
import { output, prepare, succeed, withServer, type Suite } from "./suite.ts";

const module = join(import.meta.dirname, "conformance");
const [, version = ""] =
  /k8s\.io\/kubernetes v(\S+)/.exec(readFileSync(join(module, "go.mod"), "utf8")) ?? [];
const folder = cacheFolder(`suites/conformance-${version}`);
const program = join(folder, "conformance.test");

// These run images: webhooks, API servers and pods that have to do something.
const needImages = [
  "AdmissionWebhook",
  "ConversionWebhook",
  "CustomResourceFieldSelectors",
  "Sample API Server",
];
// Not tried: they count pods and wait for controllers.
const notTried = ["Garbage collector", "ResourceQuota", "Namespace", "API chunking"];

/** The specs of Kubernetes about API machinery that each cluster has to pass, but for some. */
export const conformance: Suite = {
  name: "conformance",
  isPossible: () => existsSync(program) || succeed("go version"),
  async *run(parts) {
    await build();
    const report = `${program}.json`;
    rmSync(report, { force: true });
    const chosen = parts.length > 0 ? `(${parts.join("|")}).*` : "";
    const { all } = await withServer((KUBECONFIG) => {
      const options = [
        `-ginkgo.focus=\\[sig-api-machinery\\].*${chosen}\\[Conformance\\]`,
        `-ginkgo.skip=${[...needImages, ...notTried].join("|")}`,
        `-ginkgo.json-report=${report}`,
        `-kubeconfig=${KUBECONFIG}`,
        "-provider=skeleton",
      ];
      return output([program, ...options], { cwd: folder });
    });
    const specs = existsSync(report) ? specsIn(readFileSync(report, "utf8")) : [];
    yield* specs.length > 0 ? specs : [{ name: "starts", problem: all }];
  },
};

/** Compiles the specs, which takes ten minutes once. */
async function build(): Promise<void> {
  if (existsSync(program)) return;
  await prepare(["mkdir", "-p", folder], { cwd: module });
  // A build that was interrupted must not look complete.
  const part = `${program}.part`;
  await prepare(["go", "test", "-c", "-vet=off", "-o", part, "."], { cwd: module });
  renameSync(part, program);
}
