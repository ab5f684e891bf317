import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";
import { output, prepare, succeed, withServer, type Suite, type TestResult } from "./suite.ts";

const folder = cacheFolder("suites/kopf");
const python = join(folder, "bin/python");
const requirements = join(import.meta.dirname, "kopf/requirements.txt");

/** The tests of kopf that need a cluster: they run its examples. */
export const kopf: Suite = {
  name: "kopf",
  isPossible: () => succeed("python3 -m venv --help", "command -v kubectl"),
  async *run(parts) {
    const sources = await install();
    const filter = parts.length > 0 ? ["-k", parts.join(" or ")] : [];
    const tests = ["tests/e2e", "examples", "--only-e2e", "--timeout=120", ...filter];
    // Connections that kopf leaves open fail the test during which Python happens to collect them.
    const warnings = ["ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"];
    const options = [
      ...["-p", "no:cacheprovider", "-rA", "--show-capture=no", "--tb=short"],
      ...warnings.flatMap((warning) => ["-W", warning]),
    ];
    const { all } = await withServer((KUBECONFIG) =>
      output([python, "-m", "pytest", ...tests, ...options], { cwd: sources, env: { KUBECONFIG } }),
    );
    const results = resultsIn(all);
    yield* results.length > 0 ? results : [{ name: "starts", problem: all }];
  },
};

/** Installs kopf and what its tests need; returns the folder with its tests. */
async function install(): Promise<string> {
  const version = /^kopf==(.+)$/m.exec(readFileSync(requirements, "utf8"))?.[1] ?? "";
  const sources = join(folder, `kopf-${version}`);
  if (existsSync(sources)) return sources;
  const place = { cwd: import.meta.dirname };
  await prepare(["python3", "-m", "venv", folder], place);
  const pip = [python, "-m", "pip", "--quiet"];
  await prepare([...pip, "install", "-r", requirements], place);
  // Tests are not in what pip installs.
  const download = ["download", "--no-deps", "--no-binary=kopf", `kopf==${version}`];
  await prepare([...pip, ...download], { cwd: folder });
  const part = join(folder, "part");
  rmSync(part, { recursive: true, force: true });
  await prepare(["mkdir", part], place);
  await prepare(["tar", "-xzf", `../kopf-${version}.tar.gz`, "--strip-components=1"], {
    cwd: part,
  });
  renameSync(part, sources);
  return sources;
}

/** Reads lines such as `PASSED tests/e2e/test_examples.py::test[01-minimal]`. */
function resultsIn(text: string): readonly TestResult[] {
  const lines = text.matchAll(/^(PASSED|FAILED|ERROR) (\S+)(?: - (.*))?$/gm);
  return Array.from(lines, ([, state, name = "", why]) => ({
    name,
    problem: state === "PASSED" ? undefined : `${why ?? state}\n${text}`,
  }));
}
