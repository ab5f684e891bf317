// Every command of the repository: the scripts of package.json, the steps of the check and the
// generators. Plain JavaScript: Node 20 reads it before anything is installed.
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

const source = "node --conditions=@listwatch/source";
const measured = "node --expose-gc --conditions=@listwatch/source";
const turbo = "TURBO_TELEMETRY_DISABLED=1 turbo run build";
const vitest = "node_modules/vitest/vitest.mjs run";

/**
 * Programs that write files of the repository: `npm run gen -- NAME`. With `--check` they compare
 * the files instead, which is the step NAME of the check.
 */
export const generators = {
  api: ["node scripts/api-report.ts"],
  figures: [`${source} scripts/figures/write.ts`],
  // Needs Go, and writes what `schemas` reads.
  "go-modules": ["node scripts/schemas/go-modules.ts"],
  requirements: ["node scripts/requirements.ts"],
  resources: [`${source} scripts/resources/generate.ts`],
  schemas: ["node scripts/schemas/generate.ts", "node scripts/schemas/pack-openapi.ts"],
  // Needs Chromium.
  "social-card": ["node apps/docs/src/social-card/generate.mjs"],
  wasm: ["node scripts/wasm.ts"],
};

const comparisons = Object.fromEntries(
  Object.entries(generators).map(([name, programs]) => [
    name,
    { size: "tests", run: programs.map((program) => `${program} --check`).join(" && ") },
  ]),
);

/**
 * The commands by name. `size` is the installation that a command needs (`ensure-installed.mjs`),
 * everything by default. `after` names commands whose output it reads. `counts` is where its tests
 * are counted: in the JSON report of vitest, or in the last line "N passed, N failed".
 */
export const commands = {
  ...comparisons,

  start: { size: "demo", run: `${source} apps/demo/src/cli.ts` },
  "fake-apiserver": {
    size: "demo",
    run: `${source} packages/fake-apiserver/src/adapters/node-cli.ts`,
  },

  check: { run: "node scripts/check.mjs check" },
  quick: { run: "node scripts/check.mjs quick" },
  field: { run: "node scripts/check.mjs field" },

  // The unit tests.
  test: { size: "tests", counts: "vitest", run: "vitest run" },
  deno: { counts: "vitest", run: `EXPECT_RUNTIME=deno deno run -A ${vitest}` },
  bun: { counts: "vitest", run: `EXPECT_RUNTIME=bun bun --bun ${vitest} --pool=threads` },
  node22: { counts: "vitest", run: `node scripts/with-node-22.mjs ${vitest}` },
  // Installs it where it can: two steps that need it would do so at the same time.
  chromium: { run: "node scripts/chromium.mjs" },
  browser: {
    after: ["chromium"],
    counts: "vitest",
    run: "vitest run --config vitest.browser.config.ts",
  },
  browsers: { after: ["docs"], counts: "line", run: `${source} tests/browsers/run.ts` },
  forms: { size: "tests", run: "node scripts/test-forms.ts" },

  // Recordings and random inputs.
  conformance: { size: "tests", counts: "line", run: `${source} conformance/run.ts` },
  fidelity: { size: "tests", counts: "line", run: `${source} conformance/fidelity/run.ts` },
  fuzz: { counts: "line", run: `${source} tests/fuzz/run.ts` },

  // The sources.
  boundaries: { size: "tests", run: "node scripts/boundaries.ts" },
  commits: { run: "node scripts/commits.ts" },
  format: { run: "oxfmt && oxlint --type-aware --fix" },
  knip: { run: "knip" },
  lint: { run: "oxlint --type-aware --deny-warnings && oxfmt --check && node scripts/language.ts" },
  size: { run: "node scripts/size.ts" },
  snippets: { size: "tests", run: "node scripts/snippets.ts" },
  typecheck: { run: "tsc && tsc -p apps/docs && tsc -p tests/frameworks/react" },

  // The packages as they are published.
  build: { run: `${turbo} --filter='./packages/*' --filter=@listwatch/demo` },
  create: { after: ["build"], counts: "line", run: `${source} tests/create/run.ts` },
  frameworks: { after: ["build"], counts: "line", run: "node tests/frameworks/run.ts" },
  install: { after: ["build"], counts: "line", run: "node tests/install/run.ts" },
  jsr: { run: "deno publish --dry-run --allow-dirty --quiet" },
  packages: { after: ["build"], run: "node scripts/check-packages.ts" },
  programs: { after: ["build"], counts: "line", run: "node tests/install/first-programs.ts" },
  smoke: { after: ["build"], counts: "line", run: "node tests/smoke/run.ts" },
  types: { after: ["build"], counts: "line", run: "node tests/types/run.ts" },
  "types-cost": { after: ["build"], counts: "line", run: "node tests/types/cost.ts" },

  // The documentation.
  docs: { run: `${turbo} --filter=@listwatch/docs` },
  "docs-comments": {
    counts: "line",
    run: "deno test --doc --allow-net=127.0.0.1 --permit-no-files README.md packages/*/README.md packages/*/src",
  },
  examples: { after: ["build"], counts: "line", run: `${source} examples/run.ts` },
  site: {
    after: ["chromium", "docs"],
    counts: "line",
    run: "node apps/docs/test/site.mjs",
  },

  // Programs, here and in other languages.
  cli: { size: "tests", counts: "line", run: `${source} tests/cli/run.ts` },
  clients: { size: "tests", counts: "line", run: `${source} tests/clients/run.ts` },
  cluster: { size: "tests", counts: "line", run: `${source} tests/cluster/run.ts` },
  demo: { size: "tests", counts: "line", run: `${source} tests/demo/run.ts` },
  kubectl: { size: "tests", counts: "line", run: `${source} tests/kubectl/run.ts` },
  kubectls: { counts: "line", run: `${source} tests/field/kubectls.ts` },
  oracle: { counts: "line", run: `${source} tests/kubectl-oracle/run.ts` },
  "custom-resources": {
    size: "tests",
    counts: "line",
    run: `${source} tests/field/custom-resources.ts`,
  },
  "definition-rules": {
    size: "tests",
    counts: "line",
    run: `${source} tests/field/definition-rules.ts`,
  },
  "controller-manager": {
    size: "tests",
    counts: "line",
    run: `${source} tests/field/controller-manager.ts`,
  },
  "real-files": { size: "tests", counts: "line", run: `${source} tests/field/real-files.ts` },
  suites: { size: "tests", counts: "line", run: `${source} tests/field/suites.ts` },
  helm: { size: "tests", counts: "line", run: `${source} tests/field/helm.ts` },
  metrics: { size: "tests", counts: "line", run: `${source} tests/field/metrics.ts` },
  operators: { size: "tests", counts: "line", run: `${source} tests/field/operators.ts` },
  digests: { size: "tests", counts: "line", run: `${source} tests/field/digests.ts` },
  gallery: { size: "tests", counts: "line", run: `${source} tests/field/gallery.ts` },
  "own-writes": {
    size: "tests",
    counts: "vitest",
    run: "OWN_WRITES_SEEDS=1000 vitest run own-writes-simulation",
  },
  ring: {
    size: "tests",
    counts: "vitest",
    run: "RING_SEEDS=3000 vitest run ring-simulation ring-operators",
  },
  samples: { size: "tests", counts: "line", run: `${source} tests/field/protobuf.ts` },

  // Measurements.
  bench: { size: "tests", run: `${measured} bench/run.ts` },
  "bench:peers": { size: "tests", run: `${source} bench/peers/run.ts` },
  "bench:checkouts": {
    size: "tests",
    run: `${source} bench/fake-apiserver/compare-checkouts.ts`,
  },
  "bench:installs": {
    size: "tests",
    after: ["build"],
    run: "node bench/peers/installs.ts",
  },
  heap: { size: "tests", counts: "line", run: `${measured} tests/heap/run.ts` },

  "version-packages": {
    run: "changeset version && node scripts/sync-jsr.ts && npm install --package-lock-only",
  },
};

/** Makes the shell find the programs of the installed packages, Node 24 among them. */
export function usePackages() {
  const folder = fileURLToPath(new URL("../node_modules/.bin", import.meta.url));
  process.env.PATH = `${folder}${delimiter}${process.env.PATH}`;
}

/** The line for the shell; every program of the command gets the arguments. */
export function commandLine(run, args = []) {
  return [run]
    .flat()
    .map((program) => [program, ...args.map(quoted)].join(" "))
    .join(" && ");
}

function quoted(argument) {
  if (process.platform === "win32") return JSON.stringify(argument);
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
