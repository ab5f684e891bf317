// The steps of the check, of what runs before a push, and of `npm run test:field`: commands of
// `commands.mjs` with their arguments. CONTRIBUTING.md ("Where each suite runs") has the reasons.
// Plain JavaScript: Node 20 reads it before anything is installed.

/**
 * Unit tests that the check runs on Node alone, since they take most of the time and depend on no
 * runtime: those that try many cases of one logic, and those of programs that Node runs in any
 * case. All other files run on each runtime, a new one too. `npm run test:field` runs all of them
 * on all.
 */
export const once = [
  // Recordings, simulations and matrices: a part of each layer's tests is enough elsewhere.
  "conformance/test/{admission.node,cel.node,fidelity.node,traces}.test.ts",
  "packages/client/test/verbs/fault-matrix.test.ts",
  "packages/controller/test/election/election-simulation.node.test.ts",
  "packages/controller/test/reconcile/{own-writes-simulation,recreated}.test.ts",
  "packages/controller/test/sharding/{ring-operators,ring-simulation,shard-ring}.node.test.ts",
  "packages/reflector/test/states/{fault-matrix,fault-matrix.node,log,outages,request-storms,soak}.test.ts",
  "packages/shared-informer/test/delivery/resync-backlog.test.ts",
  "packages/shared-informer/test/informer/{many-unusable-objects,mistyped-answers}.test.ts",
  "packages/shared-informer/test/intake/{fault-matrix,simulation,simulation-views}.test.ts",
  "packages/testing/test/gallery/*.test.ts",
  "packages/webhooks/test/certificates/{certificate-content,roll-out,rotation}.node.test.ts",
  "packages/streams/test/simulation/pages.test.ts",
  // Random inputs, and objects of all kinds.
  "packages/client/test/http/redaction-forms.node.test.ts",
  "packages/client/test/json/against-json-parse.test.ts",
  "packages/client/test/protobuf/samples.node.test.ts",
  "packages/fake-apiserver/test/adapters/web-socket-frames.test.ts",
  "packages/fake-apiserver/test/cel/limits.test.ts",
  "packages/fake-apiserver/test/input/block-yaml.test.ts",
  "packages/fake-apiserver/test/server/fuzz.test.ts",
  "packages/fake-apiserver/test/verbs/guarantees.node.test.ts",
  "tests/fuzz/test/*.test.ts",
  // Programs of Node, started from every runtime; and the checks of this repository.
  "packages/fake-apiserver/test/adapters/{cli,cli-access}.node.test.ts",
  "packages/listwatch/test/commands/{generate,start-up}.node.test.ts",
  "packages/create-listwatch/test/tutorial.node.test.ts",
  "{apps/demo,apps/docs,scripts,tests/field}/test/*.test.ts",
];

const portable = once.map((pattern) => `--exclude=${pattern}`);
const shortClusterParts = [
  "bootstrap",
  "kinds",
  "mutations",
  "writes",
  "webhooks",
  "verbs",
  "client-node",
  "operators",
  "manager",
  "credentials",
  "command",
  "deploy",
  "testing",
];
// They reach the runtime most: sockets, processes, streams.
const onNode22 = [
  "packages/client/test/connection",
  "packages/client/test/credentials",
  "packages/client/test/transport",
  "packages/listwatch",
  "packages/controller/test/lifecycle/sigterm.node.test.ts",
];

/**
 * The lists by name. `share` is how many cores a step keeps busy, one by default. A step starts
 * when as many are free and the commands that it follows have ended, the first of its list first:
 * so the longest come first. A step that counts no test has failed, unless it may be empty.
 */
export const lists = {
  check: [
    // They start as many workers as there are cores. The step `conformance` replays the traces.
    { name: "test", share: 2, args: ["--exclude=conformance/test/traces.test.ts"] },
    { name: "deno", share: 2, args: portable },
    { name: "bun", share: 2, args: portable },
    // Other steps read what they write.
    { name: "docs" },
    { name: "build" },
    { name: "chromium" },
    { name: "site" },
    { name: "examples" },
    { name: "browser", args: portable },
    { name: "types", args: ["--quick", "programs/", "modules", "5.7", "7.0"] },
    // They wait for frames, processes and servers most of the time.
    { name: "demo", share: 0.5 },
    { name: "cli", share: 0.5 },
    { name: "kubectl", share: 0.5 },
    { name: "packages" },
    { name: "smoke" },
    { name: "programs" },
    { name: "create", args: ["--quick"] },
    { name: "node22", args: [...onNode22, ...portable] },
    { name: "heap" },
    // The unit tests replay the same through the fetch handler.
    { name: "fidelity", args: ["--transport", "socket"] },
    { name: "typecheck" },
    { name: "lint" },
    { name: "api" },
    { name: "docs-comments" },
    { name: "jsr" },
    { name: "frameworks" },
    // Languages that take minutes to install or to compile are in `npm run test:field`.
    { name: "clients", args: ["javascript", "python"] },
    { name: "knip" },
    // The same inputs each time; random ones in `npm run test:field`.
    { name: "fuzz", args: ["yaml", "label-selectors", "--inputs", "50", "--seed", "1"] },
    // Only proves that the command works: figures of a busy machine are worth nothing.
    { name: "bench", args: ["core-fifo", "--only", "RealFIFO add+pop, bursts of 1,000"] },
    { name: "conformance" },
    { name: "size" },
    { name: "snippets" },
    { name: "boundaries" },
    { name: "commits" },
    { name: "schemas" },
    { name: "resources" },
    { name: "requirements" },
    { name: "figures" },
    // Runs where kube-apiserver and etcd are, which `npm run test:field` builds, or says so. The
    // other runtimes, and the parts that take a minute and more, run there.
    { name: "cluster", args: ["--runtime", "node", ...shortClusterParts], mayBeEmpty: true },
  ],
  quick: [
    { name: "test", share: 2 },
    { name: "typecheck" },
    { name: "lint" },
    { name: "api" },
    { name: "snippets" },
    { name: "boundaries" },
    { name: "requirements" },
  ],
  field: [
    { name: "docs" },
    { name: "build" },
    { name: "chromium" },
    { name: "deno", share: 2 },
    { name: "bun", share: 2 },
    { name: "node22", args: [...onNode22, "packages/client/test/verbs"] },
    { name: "forms", share: 2 },
    // Compares medians of times: alone.
    { name: "types-cost", share: Infinity },
    { name: "cluster", share: 2, args: ["--all", "--build"] },
    // Needs kube-controller-manager, which `cluster` builds, or says so.
    { name: "controller-manager", mayBeEmpty: true },
    { name: "helm", mayBeEmpty: true },
    { name: "suites", mayBeEmpty: true },
    { name: "browsers", mayBeEmpty: true },
    { name: "browser" },
    { name: "clients", args: ["--field"] },
    { name: "kubectls", mayBeEmpty: true },
    { name: "oracle", mayBeEmpty: true },
    { name: "metrics" },
    // Compiles Rust for minutes, and listens on fixed ports.
    { name: "operators" },
    { name: "gallery" },
    { name: "digests" },
    { name: "own-writes" },
    { name: "ring" },
    { name: "install" },
    { name: "create" },
    { name: "types" },
    { name: "fuzz" },
    { name: "go-modules" },
    { name: "samples", mayBeEmpty: true },
    { name: "custom-resources" },
    // Need Go, which downloads the modules, or say so.
    { name: "real-files", mayBeEmpty: true },
    { name: "definition-rules", mayBeEmpty: true },
    { name: "site", args: ["looks"] },
  ],
};

/** How long a step may take before it is ended: what takes longer hangs. */
export const stepLimitMs = { check: 20 * 60_000, quick: 20 * 60_000, field: 3 * 60 * 60_000 };
