import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startUsedCluster, type UsedCluster } from "../support/used-cluster.ts";
import { Program, test, testInTerminal } from "./harness.ts";

const ownNamespace = /listwatch-demo-[0-9a-f]{8}/;

/** Runs a test on a cluster that others use, too, with its kubeconfig in the environment. */
async function onUsedCluster(run: (cluster: UsedCluster) => Promise<void>): Promise<void> {
  await using cluster = await startUsedCluster();
  const before = await cluster.foreignObjects();
  process.env["KUBECONFIG"] = cluster.kubeconfig;
  try {
    await run(cluster);
  } finally {
    delete process.env["KUBECONFIG"];
  }
  assert.deepEqual(await cluster.foreignObjects(), before);
  assert.deepEqual(await cluster.leftNamespaces(), []);
}

/** The pods that are there, whatever namespace they are in. */
async function podKeys({ client }: UsedCluster): Promise<string[]> {
  const { items } = await client.resource({ group: "", version: "v1", resource: "pods" }).list();
  return items.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
}

test("--context watches the cluster of a kubeconfig, and removes what it made on Ctrl-C", () =>
  onUsedCluster(async (cluster) => {
    const program = Program.demo("--context", cluster.context);
    await program.until("an object of others", () => program.output.includes("shop/web-0"));
    await program.until("a pod", () =>
      /ADDED {3}listwatch-demo-\w+\/guest-1 /.test(program.output),
    );
    await program.until("an update", () => program.output.includes("UPDATED"), 40_000);
    const [namespace = ""] = ownNamespace.exec(program.output) ?? [];
    assert.deepEqual(await cluster.leftNamespaces(), [namespace]);
    program.interrupt();
    await program.exited;
    assert.equal(program.errors, "");
    assert.match(program.output, new RegExp(`\nDeleted the namespace ${namespace}\nSummary: pods`));
    assert.match(program.output, /Watching pods at https:\/\/127\.0\.0\.1:/);
    assert.deepEqual(
      (await podKeys(cluster)).filter((key) => ownNamespace.test(key)),
      [],
    );
  }));

test("--context finds ~/.kube/config, and takes short names, kinds and plurals with group", () =>
  onUsedCluster(async (cluster) => {
    const home = mkdtempSync(join(tmpdir(), "listwatch-demo-"));
    mkdirSync(join(home, ".kube"));
    copyFileSync(cluster.kubeconfig, join(home, ".kube", "config"));
    delete process.env["KUBECONFIG"];
    const before = process.env["HOME"];
    process.env["HOME"] = home;
    try {
      for (const [resource, key] of [
        ["CM", "shop/flags"],
        ["Lease", "shop/greeter"],
        ["svc", "shop/web"],
      ] as const) {
        const args = ["--context", cluster.context, "--resource", resource];
        const program = Program.demo(...args, "--namespace", "shop");
        await program.until(key, () => program.output.includes(`ADDED   ${key} `));
        program.interrupt();
        await program.exited;
        assert.doesNotMatch(program.output, ownNamespace);
      }
    } finally {
      process.env["HOME"] = before;
      rmSync(home, { recursive: true });
    }
  }));

testInTerminal("on a real cluster c, s and m say why they do nothing; b, d and h work", () =>
  onUsedCluster(async (cluster) => {
    const program = Program.demoInTerminal(120, 40, "--context", cluster.context);
    await program.until("the watch", () => program.screen.includes("● watching"));
    await program.until("its namespace", () => program.screen.includes("Makes pods in"));
    assert.doesNotMatch(program.screenLines.at(-1) ?? "", /compact|429|50,000/);
    for (const key of ["c", "s", "m"]) {
      program.type(key);
      const reason = `Only on a cluster of the demo's own (key ${key})`;
      await program.until("a reason", () => program.screen.includes(reason));
    }
    program.type("b");
    await program.until("the burst", () => program.screen.includes("Started 20 pods (key b)"));
    await program.until("its proof", () =>
      /✓ 20 pods in the cache after \d+\.\d+ s · cache = server \((\d+) = \1\)/.test(
        program.screen,
      ),
    );
    await program.until("its pods", () => /listwatch-demo-\w+ +2\d /.test(program.screen));
    program.type("d");
    await program.until("the recovery", () => program.screen.includes("recoveries 1"), 40_000);
    await program.until("its proof", () =>
      /✓ reconnected after .* caught up · cache = server \((\d+) = \1\)/.test(program.screen),
    );
    program.type("h");
    await program.until("a full mailbox", () => /audit [2-9] waiting/.test(program.screen), 40_000);
    assert.match(program.screen, /screen 0 waiting {2}metrics 0 waiting/);
    program.type("q");
    assert.equal(await program.exited, 0);
    assert.match(program.output, /Deleted the namespace listwatch-demo-\w+\r?\nSummary: pods/);
  }),
);

test("--read-only sends nothing but reads", () =>
  onUsedCluster(async (cluster) => {
    cluster.server.control.recorder.clear();
    const args = ["--context", cluster.context, "--read-only", "--seconds", "4"];
    const program = Program.demo(...args);
    assert.equal(await program.exited, 0);
    assert.match(program.output, /ADDED {3}kube-system\/coredns/);
    const requests = cluster.server.control.recorder.list();
    assert.ok(requests.length > 1, "expected discovery and a watch");
    assert.deepEqual([...new Set(requests.map(({ method }) => method))], ["GET"]);
  }));

test("without the right to make a namespace the demo says so once, and watches", () =>
  onUsedCluster(async (cluster) => {
    cluster.server.control.faults.add({
      match: { verb: "create", resource: "namespaces" },
      action: {
        type: "status",
        status: { code: 403, reason: "Forbidden", message: "no, not you" },
      },
    });
    const program = Program.demo("--context", cluster.context, "--seconds", "5");
    assert.equal(await program.exited, 0);
    assert.equal(program.output.split("Cannot change anything here: ").length, 2);
    assert.match(program.output, /ADDED {3}shop\/web-1/);
    assert.doesNotMatch(program.output, /Deleted the namespace/);
  }));

test("a context that the kubeconfig lacks gives one line and exit code 1", () =>
  onUsedCluster(async () => {
    const program = Program.demo("--context", "nonsense");
    assert.equal(await program.exited, 1);
    assert.match(
      program.errors,
      /^listwatch-demo: Cannot use the kubeconfig .* no context "nonsense"[^\n]*\n$/,
    );
    assert.equal(program.output, "");
  }));
