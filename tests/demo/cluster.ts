import assert from "node:assert/strict";
import { seededRandom } from "@listwatch/core-fifo/testing";
import { Cluster } from "../../apps/demo/src/cluster.ts";
import type { Operation } from "../../apps/demo/src/operation.ts";
import { test } from "./harness.ts";

/** What a cluster does in the given time. */
function simulate(seed: number, seconds: number): Operation[] {
  const cluster = new Cluster(seededRandom(seed), 0);
  const operations = cluster.setUp();
  while (cluster.nextDueMs <= seconds * 1000) {
    operations.push(...cluster.advance(cluster.nextDueMs));
  }
  return operations;
}

function pathOf(operation: Operation): string {
  return operation.verb === "create"
    ? `${operation.collection}/${operation.object.metadata.name}`
    : operation.path.replace("/status", "");
}

/** `create`, `bind`, the phase or reason of a status, `terminate` or `remove`. */
function stepOf(operation: Operation): string {
  if (operation.verb === "create" || operation.verb === "bind") return operation.verb;
  if (operation.verb === "delete") {
    return operation.gracePeriodSeconds === 0 ? "remove" : "terminate";
  }
  const text = JSON.stringify(operation.body);
  return /"reason":"(\w+)"/.exec(text)?.[1] ?? /"phase":"(\w+)"/.exec(text)?.[1] ?? text;
}

test("the same seed gives the same cluster, another seed another one", () => {
  assert.deepEqual(simulate(7, 60), simulate(7, 60));
  assert.notDeepEqual(simulate(7, 60), simulate(8, 60));
});

test("every pod goes through the phases of a pod in their order", () => {
  const steps = new Map<string, string[]>();
  for (const operation of simulate(1, 300)) {
    if (!pathOf(operation).includes("/pods/")) continue;
    const path = pathOf(operation);
    steps.set(path, [...(steps.get(path) ?? []), stepOf(operation)]);
  }
  assert.ok(steps.size > 100, `expected more than 100 pods in 5 minutes, got ${steps.size}`);
  // Pods that were there at the beginning are running at once; a rollout may end a pod at any
  // point.
  const legal =
    /^create( bind( ContainerCreating)?( Running( CrashLoopBackOff Running)*( CrashLoopBackOff)?)?( Completed| Error)?)?( terminate( remove)?)?$/;
  for (const [path, history] of steps) assert.match(history.join(" "), legal, path);
  const all = [...steps.values()].flat();
  for (const step of ["Completed", "Error", "CrashLoopBackOff", "remove"]) {
    assert.ok(all.includes(step), `expected ${step} to happen in 5 minutes`);
  }
});

test("the number of pods stays that of a small cluster for an hour", () => {
  let pods = 0;
  for (const operation of simulate(3, 3600)) {
    if (!pathOf(operation).includes("/pods/")) continue;
    if (operation.verb === "create") pods++;
    if (stepOf(operation) === "remove") pods--;
    assert.ok(pods < 80, `expected fewer than 80 pods, got ${pods}`);
  }
  assert.ok(pods > 20, `expected more than 20 pods, got ${pods}`);
});

test("what a burst starts is gone within half a minute", () => {
  const cluster = new Cluster(seededRandom(5), 0);
  const started = new Set(cluster.burst(50, 0).map(pathOf));
  assert.equal(started.size, 50);
  while (cluster.nextDueMs <= 30_000) {
    for (const operation of cluster.advance(cluster.nextDueMs)) {
      if (stepOf(operation) === "remove") started.delete(pathOf(operation));
    }
  }
  assert.equal(started.size, 0);
});
