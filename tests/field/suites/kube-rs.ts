import { existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { cacheFolder } from "../../support/cache-folder.ts";
import { output, prepare, succeed, withServer, type Suite, type TestResult } from "./suite.ts";

const version = "5.0.0";
const crates = ["kube", "kube-client", "kube-runtime"];
const features = [
  ...["admission", "client", "derive", "ring", "runtime", "rustls-tls", "ws"].map(
    (feature) => `kube/${feature}`,
  ),
  ...["client", "config", "jsonpatch", "ring", "rustls-tls", "unstable-client", "ws"].map(
    (feature) => `kube-client/${feature}`,
  ),
].join(",");
const folder = cacheFolder(`suites/kube-rs-${version}`);
const sources = join(folder, "sources");

/** The tests of kube-rs that need a cluster, which it ignores otherwise. */
export const kubeRs: Suite = {
  name: "kube-rs",
  isPossible: () => succeed("cargo --version"),
  async *run(parts) {
    await install();
    const build = ["cargo", "test", "--workspace", "--lib", "--features", features];
    await prepare([...build, "--no-run"], { cwd: sources });
    // One after the other: several of them list all pods.
    const options = ["--no-fail-fast", "--", "--ignored", "--test-threads=1", ...parts];
    const { all } = await withServer((KUBECONFIG) =>
      output([...build, ...options], { cwd: sources, env: { KUBECONFIG } }),
    );
    const results = resultsIn(all);
    yield* results.length > 0 ? results : [{ name: "starts", problem: all }];
  },
};

/** Makes a workspace of the released crates, whose tests cargo runs for members only. */
async function install(): Promise<void> {
  if (existsSync(sources)) return;
  const part = join(folder, "part");
  rmSync(folder, { recursive: true, force: true });
  await prepare(["mkdir", "-p", join(part, "src")], { cwd: import.meta.dirname });
  const dependencies = crates.map((name) => `${name} = "=${version}"\n`).join("");
  const head = '[package]\nname = "crates"\nversion = "0.0.0"\nedition = "2024"\n';
  writeFileSync(join(part, "Cargo.toml"), `${head}[dependencies]\n${dependencies}`);
  writeFileSync(join(part, "src/lib.rs"), "");
  await prepare(["cargo", "fetch"], { cwd: part });
  const registry = join(process.env["CARGO_HOME"] ?? join(homedir(), ".cargo"), "registry/src");
  for (const name of crates) {
    const place = readdirSync(registry)
      .map((index) => join(registry, index, `${name}-${version}`))
      .find((each) => existsSync(each));
    if (place === undefined) throw new Error(`${name} ${version} is not in ${registry}`);
    await prepare(["cp", "-r", "--no-preserve=mode", place, join(part, name)], { cwd: part });
    const file = join(part, name, "Cargo.toml");
    // Its lints refuse warnings of other versions of the compiler.
    const manifest = readFileSync(file, "utf8").replace(/^\[lints[\s\S]*/m, "");
    // Its tests use it, and a released manifest leaves out what would be a circle.
    const kube = name === "kube" ? "" : '[dev-dependencies.kube]\npath = "../kube"\n';
    writeFileSync(file, manifest + kube);
  }
  rmSync(join(part, "src"), { recursive: true });
  const members = crates.map((name) => `"${name}"`).join(", ");
  const patches = crates.map((name) => `${name} = { path = "${name}" }\n`).join("");
  const workspace = `[workspace]\nmembers = [${members}]\nresolver = "3"\n`;
  writeFileSync(join(part, "Cargo.toml"), `${workspace}[patch.crates-io]\n${patches}`);
  renameSync(part, sources);
}

/** Reads lines such as `test events::test::event_recorder_cache ... ok`, and the failures below. */
function resultsIn(text: string): readonly TestResult[] {
  const lines = text.matchAll(/^test (\S+)(?: - .*?)? \.\.\. (?:[\s\S]*?\n)?(ok|FAILED)$/gm);
  return Array.from(lines, ([, name = "", state]) => {
    if (state === "ok") return { name, problem: undefined };
    const [, failure = ""] = text.split(`---- ${name} stdout ----\n`);
    return { name, problem: failure.replace(/\n\n[\s\S]*/, "") || text };
  });
}
