import { styleText } from "node:util";
import type { ClusterConfig } from "@listwatch/client";
import { printable } from "./node-print-event.ts";
import { serverOption } from "../doctor/examined.ts";
import type { Finding } from "../doctor/finding.ts";
import { clusterOptions, clusterUsage, parseCommand } from "./node-arguments.ts";
import { connectTo, type ClusterChoice } from "./node-cluster.ts";

const usage = `Usage: listwatch doctor [RESOURCE] [options]

Checks everything that an informer needs from a cluster, and suggests a remedy for each failure:
address, TLS, clock, credentials, rights, streamed lists, and proxies that hold back events.

  RESOURCE               plural, singular, short name or kind, optionally with its group
                         (default: pods)
  -n, --namespace NAME   the rights in this namespace (default: that of the context, else
                         default)
  -A, --all-namespaces   the rights in all namespaces
  --json                 one JSON object with all findings
${clusterUsage}

It writes nothing to the cluster. The exit code is 1 if a check fails, 2 after a mistake in the
command line.`;

const marks = { ok: "✓", failed: "✗", skipped: "–" } as const;
const colors = { ok: "green", failed: "red", skipped: "gray" } as const;
/** Width of the longest check name. */
const nameColumns = 13;

/** Runs `listwatch doctor`. */
export async function doctor(args: readonly string[]): Promise<void> {
  const parsed = parseCommand(args, {
    usage,
    options: {
      namespace: { type: "string", short: "n" },
      "all-namespaces": { type: "boolean", short: "A" },
      json: { type: "boolean" },
      ...clusterOptions,
    },
    expected: "at most one resource",
    most: 1,
  });
  if (parsed === undefined) return;
  const { positionals, values } = parsed;
  const findings: Finding[] = [];
  const report = (finding: Finding): void => {
    findings.push(finding);
    if (values.json !== true) print(finding);
  };
  const config = await findConfig(values, report);
  if (config !== undefined) {
    const { examine } = await import("../doctor/node-examine.ts");
    const { "all-namespaces": isAll = false, namespace = config.namespace ?? "default" } = values;
    const [resource = "pods"] = positionals;
    const found = examine(config, { resource, namespace: isAll ? undefined : namespace });
    for await (const finding of found) report(finding);
  }
  const isWell = findings.every(({ outcome }) => outcome !== "failed");
  if (values.json === true) {
    console.log(JSON.stringify({ server: config?.server, ok: isWell, findings }, undefined, 2));
  }
  if (!isWell) process.exitCode = 1;
}

/** Finds the cluster; `undefined` after a finding that there is none. */
async function findConfig(
  { context, server }: ClusterChoice,
  report: (finding: Finding) => void,
): Promise<ClusterConfig | undefined> {
  if (server !== undefined) {
    // An invalid address is an error of the command line.
    await connectTo({ server }, usage);
    report({ check: "configuration", outcome: "ok", message: "--server, without credentials" });
    return { origin: serverOption, server, user: {} };
  }
  const { findClusterConfig } = await import("../connection/node-find-cluster-config.ts");
  try {
    const config = await findClusterConfig({ context });
    report({ check: "configuration", outcome: "ok", message: config.origin });
    return config;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const remedy =
      "Name a kubeconfig in KUBECONFIG, a context of it with --context, or an address with --server";
    report({ check: "configuration", outcome: "failed", message, remedy });
    return undefined;
  }
}

function print({ check, message, outcome, remedy }: Finding): void {
  // Only colours terminals, and respects NO_COLOR.
  const mark = styleText(colors[outcome], marks[outcome], { stream: process.stdout });
  console.log(`${mark} ${check.padEnd(nameColumns)} ${printable(message)}`);
  if (remedy !== undefined) console.log(`${" ".repeat(nameColumns + 3)}→ ${printable(remedy)}`);
}
