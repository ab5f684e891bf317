import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigError } from "@listwatch/client";
import { ExecPlugin } from "../../src/credentials/node-exec-plugin.ts";
import { metricsSink, type MetricCall } from "../support/metrics-sink.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "listwatch-plugin-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const apiVersion = "client.authentication.k8s.io/v1";

/** Creates a plugin of the shell, and a list of what its metrics receive. */
function createPlugin(script: string, clock: SimulatedClock) {
  const command = join(folder, "login");
  writeFileSync(command, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const calls: MetricCall[] = [];
  const metrics = metricsSink((call) => calls.push(call));
  const exec = { apiVersion, command, args: [], env: {}, installHint: undefined };
  const config = { ...exec, cluster: undefined };
  return { plugin: new ExecPlugin(config, { clock, metrics, onStderr: () => {} }), calls };
}

const runs = (code: string, call_status: string): MetricCall => ({
  name: "rest_client_exec_plugin_call_total",
  labels: { code, call_status },
  value: 1,
});

const ttl = (value: number): MetricCall => ({
  name: "rest_client_exec_plugin_ttl_seconds",
  labels: {},
  value,
});

describe("the metrics of an exec plugin", () => {
  test("count a run, and have the time that is left at each request", async () => {
    const clock = new SimulatedClock({ startMs: 0 });
    const status = { token: "t", expirationTimestamp: "1970-01-01T01:00:00Z" };
    const credential = JSON.stringify({ kind: "ExecCredential", apiVersion, status });
    const { calls, plugin } = createPlugin(`echo '${credential}'`, clock);
    await plugin.get();
    await clock.advance(60_000);
    await plugin.get();
    expect(calls).toEqual([runs("0", "no_error"), ttl(3600), ttl(3540)]);
  });

  test.each([
    ["exit 3", "3"],
    ["kill -9 $$", "-1"],
  ])("count a failed run by its exit code: %s", async (script, code) => {
    const { calls, plugin } = createPlugin(script, new SimulatedClock());
    await expect(plugin.get()).rejects.toThrow(ConfigError);
    expect(calls).toEqual([runs(code, "plugin_execution_error")]);
  });

  test("count a run that cannot begin as code 1", async () => {
    const { calls, plugin } = createPlugin("exit 0", new SimulatedClock());
    rmSync(join(folder, "login"));
    await expect(plugin.get()).rejects.toThrow(ConfigError);
    expect(calls).toEqual([runs("1", "plugin_execution_error")]);
  });
});
