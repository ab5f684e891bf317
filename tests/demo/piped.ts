import assert from "node:assert/strict";
import { Program, test } from "./harness.ts";

const eventLine =
  /^\d\d:\d\d:\d\d\.\d{3} (ADDED  |UPDATED|DELETED) [a-z0-9-]+\/[a-z0-9-]+ {2}(was )?[A-Z][A-Za-z0-9→ ()/-]+$/;
const noticeLine = /^\d\d:\d\d:\d\d\.\d{3} ------ {2}\S.+$/;

test("npm start -- --seconds 10 without a terminal prints a line per event and a summary", async () => {
  const program = Program.demo("--seconds", "10");
  assert.equal(await program.exited, 0);
  assert.equal(program.errors, "");
  const lines = program.lines.filter((line) => line !== "");
  const summary = lines.findIndex((line) => line.startsWith("Summary: "));
  const history = lines.slice(0, summary);
  for (const line of history) {
    assert.ok(eventLine.test(line) || noticeLine.test(line), `unexpected line: ${line}`);
  }
  const at = "http:\\/\\/127\\.0\\.0\\.1:\\d+$";
  assert.match(history[0] ?? "", new RegExp(`------ {2}Connecting to ${at}`));
  const watching = history.findIndex((line) =>
    new RegExp(`-- {2}Watching pods at ${at}`).test(line),
  );
  const listed = history.findIndex((line) => /------ {2}Listed \d+ objects at/.test(line));
  assert.ok(listed > 0 && watching > listed, "expected to watch only after an answer");
  const count = (kind: string): number =>
    history.filter((line) => line.slice(13).startsWith(kind)).length;
  const [added, updated, deleted] = [count("ADDED"), count("UPDATED"), count("DELETED")];
  assert.ok(added > 20 && updated > 5, `expected a lively cluster, got ${added} and ${updated}`);
  assert.ok(history.some((line) => line.endsWith("ContainerCreating → Running")));
  const total = added + updated + deleted;
  const events = `${total}: ${added} added, ${updated} updated, ${deleted} deleted`;
  assert.equal(lines[summary + 1], `  events     ${events}`);
  assert.match(lines[summary + 2] ?? "", /^ {2}cache {6}\d+ objects at resourceVersion \d+$/);
  assert.match(lines[summary + 3] ?? "", /^ {2}objects {4}analytics \d+, kube-system \d+, /);
  assert.equal(lines[summary + 4], "  recoveries 0");
  assert.equal(lines.length, summary + 5);
});

test("Ctrl-C ends a piped run with the summary", async () => {
  const program = Program.demo();
  await program.until("an event", () => program.output.includes("UPDATED"));
  program.interrupt();
  await program.exited;
  assert.match(program.output, /\nSummary: pods in all namespaces at http/);
  assert.equal(program.errors, "");
});

test("a run that ends while the cluster is being set up ends well", async () => {
  const program = Program.demo("--seconds", "0.01");
  assert.equal(await program.exited, 0);
  assert.equal(program.errors, "");
});

test("--resource and --namespace choose what is watched in the simulated cluster too", async () => {
  const args = ["--resource", "deployments.apps", "--namespace", "shop", "--seconds", "6"];
  const program = Program.demo(...args);
  assert.equal(await program.exited, 0);
  assert.match(program.output, /ADDED {3}shop\/frontend {2}0\/4 ready \(listed\)/);
  assert.match(program.output, /Summary: deployments\.apps in shop at/);
  assert.ok(!program.output.includes("payments/"));
});
