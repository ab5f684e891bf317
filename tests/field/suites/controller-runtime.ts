import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";
import { specsIn } from "./ginkgo.ts";
import {
  output,
  prepare,
  succeed,
  withoutControllers,
  withServer,
  type Suite,
  type TestResult,
} from "./suite.ts";

const version = "v0.25.2";
const folder = cacheFolder(`suites/controller-runtime-${version}`);
const sources = join(folder, "sources");

/** The tests of controller-runtime's packages that need a cluster. */
export const controllerRuntime: Suite = {
  name: "controller-runtime",
  isPossible: () => succeed("go version"),
  async *run(parts) {
    await install();
    for (const one of packagesWithServer()) {
      if (parts.length > 0 && !parts.some((part) => one.name.includes(part))) continue;
      yield* runPackage(one);
    }
  },
};

/** Copies the module, whose folder in Go's cache is read-only. */
async function install(): Promise<void> {
  if (existsSync(sources)) return;
  const part = join(folder, "part");
  rmSync(folder, { recursive: true, force: true });
  await prepare(["mkdir", "-p", part], { cwd: import.meta.dirname });
  const module = `sigs.k8s.io/controller-runtime@${version}`;
  const place = { cwd: folder, env: { GOFLAGS: "-mod=mod" } };
  const found = await prepare(["go", "mod", "download", "-json", module], place);
  const { Dir } = JSON.parse(found) as { readonly Dir: string };
  await prepare(["cp", "-r", "--no-preserve=mode", `${Dir}/.`, part], place);
  renameSync(part, sources);
}

interface Package {
  readonly name: string;
  /** The function that runs the specs, which the package's other tests are beside. */
  readonly runner: string | undefined;
}

/** The packages whose tests start a cluster. */
function packagesWithServer(): readonly Package[] {
  const files = readdirSync(join(sources, "pkg"), { recursive: true, withFileTypes: true });
  const texts = new Map<string, string>();
  for (const { name, parentPath } of files) {
    if (!name.endsWith("_test.go")) continue;
    const folderName = relative(sources, parentPath);
    const text = readFileSync(join(parentPath, name), "utf8");
    texts.set(folderName, `${texts.get(folderName) ?? ""}${text}`);
  }
  return [...texts]
    .filter(([, text]) => text.includes("envtest.Environment{"))
    .map(([name, text]) => ({ name, runner: runnerIn(text) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function runnerIn(text: string): string | undefined {
  const functions = text.matchAll(/^func (Test\w+)\(.*\n((?:[^}\n].*\n|\n)*)}/gm);
  for (const [, name, body] of functions) if (body?.includes("RunSpecs(")) return name;
  return undefined;
}

/** Runs the tests of a package on a server for it alone. */
async function* runPackage({ name, runner }: Package): AsyncIterable<TestResult> {
  const program = join(folder, "tests", `${name.replaceAll("/", "-")}.test`);
  await prepare(["go", "test", "-c", "-vet=off", "-o", program, `./${name}`], { cwd: sources });
  const report = `${program}.json`;
  rmSync(report, { force: true });
  const options = runner === undefined ? [] : [`-ginkgo.json-report=${report}`];
  const { all } = await withServer((KUBECONFIG) => {
    const env = { KUBECONFIG, USE_EXISTING_CLUSTER: "true" };
    return output([program, "-test.v", ...options], { cwd: join(sources, name), env });
  }, withoutControllers);
  const results = [
    ...(existsSync(report) ? specsIn(readFileSync(report, "utf8")) : []),
    ...plainTestsIn(all).filter((test) => test.name !== runner),
  ];
  if (results.length === 0) yield { name: `${name}: starts`, problem: all };
  for (const { name: test, problem } of results) yield { name: `${name}: ${test}`, problem };
}

/** Reads lines such as `--- PASS: TestLazyRestMapperProvider (1.20s)`. */
function plainTestsIn(text: string): readonly TestResult[] {
  return Array.from(text.matchAll(/^--- (PASS|FAIL): (\S+) /gm), ([, state, name = ""]) => ({
    name,
    problem: state === "PASS" ? undefined : text,
  }));
}
