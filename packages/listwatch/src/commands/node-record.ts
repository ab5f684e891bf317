import { constants } from "node:os";
import { createClient } from "@listwatch/client";
import { describeError, readDuration } from "@listwatch/core-fifo/base";
import { clusterOptions, clusterUsage, parseCommand } from "./node-arguments.ts";
import { connectTo } from "./node-cluster.ts";
import { printable } from "./node-print-event.ts";
import { UsageError } from "./node-usage-error.ts";

const usage = `Usage: listwatch record RESOURCE... -o FILE [options]

Writes the objects of resources and their changes to a file, one JSON object a line, until Ctrl-C or
the end of --for. "listwatch fake --replay FILE" plays them again, and "listwatch diff" compares
moments.

  RESOURCE               plural, singular, short name or kind, optionally with its group: pods,
                         po, Deployment, deployments.apps; also of custom resources
  -o, --output FILE      file to write; it must not exist
  --for DURATION         end after this time: 90s, 10m, 1h30m (default: until Ctrl-C)
  -n, --namespace NAME   only this namespace (default: the context's, or default)
  -A, --all-namespaces   all namespaces
  -l, --selector TEXT    only objects with these labels: app=web,tier!=test
  --include RESOURCE:PATH
                         record these values, which are replaced by default, such as
                         configmaps:data["log.level"] or widgets:status; may be repeated
  --hash-names           replace names by hashes with a random key that is never written
${clusterUsage}

By default Secrets are recorded without their data. The last applied configuration, managed fields,
values of environment variables, values of ConfigMaps, strings of custom resources, and messages of
events are replaced by their length. Look at the file before you hand it on: names, labels, other
annotations, images and arguments are recorded unless --hash-names is given.`;

/** Runs `listwatch record`. */
export async function record(args: readonly string[]): Promise<void> {
  const parsed = parseCommand(args, {
    usage,
    options: {
      output: { type: "string", short: "o" },
      for: { type: "string" },
      namespace: { type: "string", short: "n" },
      "all-namespaces": { type: "boolean", short: "A" },
      selector: { type: "string", short: "l" },
      include: { type: "string", multiple: true },
      "hash-names": { type: "boolean" },
      ...clusterOptions,
    },
    expected: "at least one resource",
    least: 1,
    most: Infinity,
  });
  if (parsed === undefined) return;
  const { values } = parsed;
  const file = values.output;
  if (file === undefined) throw new UsageError("--output: expected a file to write", usage);
  const includes = values.include ?? [];
  await checkIncludes(includes);
  const durationMs = values.for === undefined ? undefined : readFor(values.for);
  const connection = await connectTo(values, usage);
  const { recordResources } = await import("../recording/node-recorder.ts");
  const { discovery } = createClient(connection, { retries: 0 });
  const resources = [];
  for (const name of parsed.positionals) {
    const resource = await discovery.forResource(name);
    if (resource === undefined) {
      throw new Error(`Cannot record "${name}": ${connection.server} has no such resource`);
    }
    resources.push(resource);
  }
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      process.exitCode = 128 + constants.signals[signal];
      stop.abort();
    });
  }
  const timer = durationMs === undefined ? undefined : setTimeout(() => stop.abort(), durationMs);
  try {
    const { changes, lists, objects } = await recordResources(
      {
        connection,
        resources,
        namespace: values["all-namespaces"] === true ? undefined : namespaceOf(values, connection),
        selector: values.selector,
        includes,
        hashNames: values["hash-names"] === true,
        file,
        onError: (resource, error) => {
          const text = `${resource}: interrupted, and tried again: ${describeError(error)}`;
          console.error(`listwatch: ${printable(text)}`);
        },
      },
      stop.signal,
    );
    console.error(
      `listwatch: recorded ${objects} objects in ${lists} lists, and ${changes} changes, in ${file}`,
    );
  } finally {
    clearTimeout(timer);
  }
}

function namespaceOf(
  values: { readonly namespace?: string | undefined },
  connection: { readonly namespace?: string | undefined },
): string {
  return values.namespace ?? connection.namespace ?? "default";
}

async function checkIncludes(includes: readonly string[]): Promise<void> {
  const { readIncludedPath } = await import("../recording/redaction.ts");
  for (const text of includes) {
    try {
      readIncludedPath(text);
    } catch (error) {
      throw new UsageError(`--include: ${describeError(error)}`, usage, { cause: error });
    }
  }
}

function readFor(text: string): number {
  const durationMs = readDuration(text);
  // The longest timer of the runtimes.
  if (durationMs === undefined || durationMs <= 0 || durationMs > 2 ** 31 - 1) {
    throw new UsageError(`--for: expected a duration such as 90s or 10m, got "${text}"`, usage);
  }
  return durationMs;
}
