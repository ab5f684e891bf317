import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { FakeApiServer, FakeApiServerOptions } from "@listwatch/fake-apiserver";
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

const nodes = ["a", "b"];
const cluster: FakeApiServerOptions = {
  bootstrap: "full",
  controllers: true,
  objects: nodes.map((name) => ({
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    status: {
      allocatable: { cpu: "8", memory: "16Gi", pods: "110" },
      conditions: [{ type: "Ready", status: "True" }],
    },
  })),
};

/** The specs of Kubernetes about API machinery that each cluster has to pass, but for some. */
export const conformance: Suite = {
  name: "conformance",
  isPossible: () => existsSync(program) || succeed("go version"),
  async *run(parts) {
    await build();
    const report = `${program}.json`;
    rmSync(report, { force: true });
    const chosen = parts.length > 0 ? `(${parts.join("|")}).*` : "";
    const { all } = await withServer(async (KUBECONFIG, server) => {
      using _ = startCompactor(server);
      await Promise.all(nodes.map((name) => untaint(server, name)));
      const options = [
        `-ginkgo.focus=\\[sig-api-machinery\\].*${chosen}\\[Conformance\\]`,
        `-ginkgo.skip=${needImages.join("|")}`,
        `-ginkgo.json-report=${report}`,
        `-kubeconfig=${KUBECONFIG}`,
        "-provider=skeleton",
      ];
      return await output([program, ...options], { cwd: folder });
    }, cluster);
    const specs = existsSync(report) ? specsIn(readFileSync(report, "utf8")) : [];
    yield* specs.length > 0 ? specs : [{ name: "starts", problem: all }];
  },
};

/**
 * Compacts as a kube-apiserver does: each time up to the revision of the time before, with a
 * separate write. It does so every minute, not every five, so that the specs wait for less.
 */
function startCompactor({ control }: FakeApiServer): Disposable {
  let { revision } = control;
  const timer = setInterval(() => {
    control.compact({ to: revision, watches: false });
    revision = control.advanceRevision();
  }, 60_000);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Takes from a node what admission gives to each new one, as kube-controller-manager does. */
async function untaint(server: FakeApiServer, name: string): Promise<void> {
  const patch: RequestInit = {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { taints: null } }),
  };
  const { ok } = await server.fetch(new Request(`http://server/api/v1/nodes/${name}`, patch));
  if (!ok) throw new Error(`The node ${name} was not changed`);
}

/** Compiles the specs, which takes ten minutes once. */
async function build(): Promise<void> {
  if (existsSync(program)) return;
  await prepare(["mkdir", "-p", folder], { cwd: module });
  // A build that was interrupted must not look complete.
  const part = `${program}.part`;
  await prepare(["go", "test", "-c", "-vet=off", "-o", part, "."], { cwd: module });
  renameSync(part, program);
}
