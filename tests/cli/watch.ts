import assert from "node:assert/strict";
import { createClient, createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { parseAllDocuments } from "yaml";
import { Program, test } from "../demo/harness.ts";
import { listwatch } from "./listwatch.ts";
import { startUsedCluster, type UsedCluster } from "../support/used-cluster.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wd"] },
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } },
    ],
  },
};

async function onCluster(run: (cluster: UsedCluster) => Promise<void>): Promise<void> {
  await using cluster = await startUsedCluster();
  process.env["KUBECONFIG"] = cluster.kubeconfig;
  try {
    await run(cluster);
  } finally {
    delete process.env["KUBECONFIG"];
  }
}

/** Ends a program with Ctrl-C, and checks the exit code that shells expect. */
async function interrupt(program: Program): Promise<void> {
  program.interrupt();
  assert.equal(await program.exited, 130);
}

test("watch prints a line for each event, with the changes", () =>
  onCluster(async ({ client, context }) => {
    const program = listwatch("watch", "cm", "-n", "shop", "--context", context);
    await program.until("the list", () => program.output.includes("ADDED    shop/flags"));
    await client.resource(configMaps).patch("shop/flags", { data: { beta: "on" } });
    await program.until("the change", () =>
      program.output.includes('MODIFIED shop/flags  data none → {"beta":"on"}'),
    );
    await client.resource(configMaps).patch("shop/flags", { data: { beta: "off" } });
    await program.until("one field", () => program.output.includes("  data.beta on → off\n"));
    await client.resource(configMaps).delete("shop/flags");
    await program.until("the end", () => program.output.includes("DELETED  shop/flags"));
    assert.ok(!program.output.includes("default/flags"), "expected one namespace");
    assert.ok(!program.output.includes("\u001b"), "expected no colours on a pipe");
    await interrupt(program);
    assert.equal(program.errors, "");
  }));

test("watch -A watches all namespaces, with a name and a selector", () =>
  onCluster(async ({ context }) => {
    const at = ["--context", context] as const;
    const all = listwatch("watch", "Pod", "-A", "-l", "app=web", ...at);
    const one = listwatch("watch", "configmap", "flags", "-A", ...at);
    await all.until("pods of two namespaces", () => /shop\/web-0[^]*test\/web-0/.test(all.output));
    await one.until("both of the name", () => one.lines.length === 3);
    assert.match(one.output, /default\/flags[^]*shop\/flags/);
    await Promise.all([interrupt(all), interrupt(one)]);
  }));

test("watch --json and -o yaml print whole objects", () =>
  onCluster(async ({ context }) => {
    const args = ["watch", "leases", "greeter", "-n", "shop", "--context", context] as const;
    const [ndjson, yaml] = [listwatch(...args, "--json"), listwatch(...args, "-o", "yaml")];
    await ndjson.until("a line", () => ndjson.lines.length === 2);
    const { object, type } = JSON.parse(ndjson.lines[0] ?? "");
    assert.deepEqual([type, object.kind, object.metadata.name], ["ADDED", "Lease", "greeter"]);
    await yaml.until("a document", () => yaml.output.includes("uid: "));
    const [document] = parseAllDocuments(yaml.output);
    assert.deepEqual(document?.toJS(), object);
    await Promise.all([interrupt(ndjson), interrupt(yaml)]);
  }));

test("watch survives a broken connection, reports it on standard error, and misses nothing", () =>
  onCluster(async ({ client, context, server }) => {
    const program = listwatch("watch", "configmaps", "-n", "shop", "--context", context);
    await program.until("the list", () => program.output.includes("shop/flags"));
    server.control.watches.reset();
    await client.resource(configMaps).create({ metadata: { namespace: "shop", name: "late" } });
    await program.until("the event", () => program.output.includes("ADDED    shop/late"));
    await program.until("the recovery", () => program.errors.includes("watching again from"));
    assert.match(program.errors, /^listwatch: interrupted, and tried again: /);
    await interrupt(program);
  }));

test("watch --server connects to an API server without a kubeconfig", async () => {
  const listener = await listen(new FakeApiServer());
  const program = listwatch("watch", "ns", "--server", listener.url);
  await program.until("a namespace", () => program.output.includes("ADDED    kube-system"));
  await interrupt(program);
  await listener.close();
});

test("watch finds custom resources by every name, and reports that there are none yet", async () => {
  const server = new FakeApiServer({ crds: [widgets] });
  await using listener = await listen(server);
  const client = createClient(createConnection({ server: listener.url }));
  const names = ["widgets", "widget", "wd", "Widget", "widgets.example.com"];
  const programs = names.map((name) => listwatch("watch", name, "--server", listener.url));
  for (const program of programs) {
    await program.until("the note", () => program.errors.includes("\n"));
    assert.equal(program.errors, "listwatch: no widgets in default yet, waiting for them\n");
  }
  const resource = { group: "example.com", version: "v1", resource: "widgets", kind: "Widget" };
  await client.resource(resource).create({ metadata: { namespace: "default", name: "first" } });
  for (const program of programs) {
    await program.until("the widget", () => program.output.includes("ADDED    default/first"));
  }
  await Promise.all(programs.map(interrupt));
});

test("watch RESOURCE/NAME watches one object", () =>
  onCluster(async ({ context }) => {
    const program = listwatch("watch", "lease/greeter", "-n", "shop", "--context", context);
    await program.until("the lease", () => program.output.includes("ADDED    shop/greeter\n"));
    await interrupt(program);
    assert.equal(program.lines.length, 2);
  }));

test("watch exits silently when the reader of its pipe closes it", async () => {
  await using listener = await listen(new FakeApiServer());
  const client = createClient(createConnection({ server: listener.url }));
  const command = `node --conditions=@listwatch/source packages/listwatch/src/node-cli.ts`;
  const pipe = `(${command} watch cm --server ${listener.url}; echo "code $?" >&2) | head -1`;
  const program = new Program("sh", ["-c", pipe]);
  const create = (name: string) =>
    client.resource(configMaps).create({ metadata: { namespace: "default", name } });
  await create("first");
  await program.until("one line", () => program.output.endsWith("ADDED    default/first\n"));
  await create("second");
  await program.exited;
  assert.equal(program.errors, "code 0\n");
  assert.equal(program.lines.length, 2);
});

test("watch exits with 1 when the first list is refused, and survives later refusals", async () => {
  const server = new FakeApiServer();
  await using listener = await listen(server);
  const at = ["--server", listener.url] as const;
  const selector = listwatch("watch", "pods", "-l", "a=b=c", ...at);
  assert.equal(await selector.exited, 1);
  assert.match(selector.errors, /^listwatch: Cannot parse the selector "a=b=c": .*\n$/);
  const forbid = () =>
    server.control.faults.add({
      match: { resource: "pods" },
      action: { type: "status", status: { code: 403, message: "not for you" } },
      times: 1,
    });
  forbid();
  const forbidden = listwatch("watch", "pods", ...at);
  assert.equal(await forbidden.exited, 1);
  assert.match(forbidden.errors, /^listwatch: not for you\n$/);
  const program = listwatch("watch", "pods", ...at);
  await program.until("the note", () => program.errors.includes("no pods in default yet"));
  forbid();
  server.control.watches.end();
  await program.until("the refusal", () => program.errors.includes("interrupted, and tried again"));
  await program.until("the recovery", () => program.errors.includes("watching again from"));
  await interrupt(program);
});

test("an unknown resource and an unknown context exit with code 1", () =>
  onCluster(async ({ context }) => {
    const resource = listwatch("watch", "nonsense", "--context", context);
    const noContext = listwatch("watch", "pods", "--context", "nonsense");
    assert.equal(await resource.exited, 1);
    assert.match(resource.errors, /^listwatch: Cannot watch "nonsense": https:\S+ has no such/);
    assert.equal(await noContext.exited, 1);
    assert.match(noContext.errors, /^listwatch: .*no context "nonsense"/);
  }));

test("http:// to a TLS port exits with code 1 and advice", async () => {
  await using listener = await listen(new FakeApiServer(), { tls: true });
  const program = listwatch("watch", "pods", "--server", listener.url.replace("https", "http"));
  assert.equal(await program.exited, 1);
  assert.match(program.errors, /^listwatch: Cannot GET .*; it may expect TLS: write https:\/\/ in/);
});

test("a wrong command line prints one line and the usage, with code 2; --help exits with 0", async () => {
  for (const [args, message] of [
    [[], /^listwatch: expected a command\n/],
    [["wacht"], /^listwatch: there is no command "wacht"\n/],
    [["watch", "pods", "-o", "yaml", "--json"], /^listwatch: --output and --json: expected one/],
    [["watch", "pod/web", "web"], /^listwatch: expected RESOURCE NAME or RESOURCE\/NAME, got/],
    [["watch"], /^listwatch: expected a resource and maybe a name, got 0 arguments\n/],
    [["watch", "pods", "--bogus"], /^listwatch: Unknown option '--bogus'/],
    [
      ["watch", "pods", "-o", "xml"],
      /^listwatch: --output: expected lines, ndjson, yaml, got "xml"/,
    ],
    [["watch", "pods", "-A", "-n", "shop"], /^listwatch: --namespace and --all-namespaces: /],
    [["watch", "pods", "--server", "nowhere"], /^listwatch: .*nowhere/],
  ] as const) {
    const program = listwatch(...args);
    assert.equal(await program.exited, 2, program.errors);
    assert.match(program.errors, message);
    assert.match(program.errors, /\nUsage: listwatch /);
    assert.equal(program.output, "");
  }
  for (const args of [["--help"], ["watch", "--help"]]) {
    const program = listwatch(...args);
    assert.equal(await program.exited, 0);
    assert.match(program.output, /^Usage: listwatch /);
  }
});
