import { checkName, clusterOptions, clusterUsage, parseCommand } from "./node-arguments.ts";
import { connectTo } from "./node-cluster.ts";
import type { Format } from "./node-print-event.ts";
import { UsageError } from "./node-usage-error.ts";

const usage = `Usage: listwatch watch RESOURCE [NAME] [options]

Prints the objects of a resource, and then their changes, until Ctrl-C.

  RESOURCE               plural, singular, short name or kind, optionally with its group: pods,
                         po, Deployment, deployments.apps; also of custom resources
  NAME                   only the object with this name; RESOURCE/NAME is the same
  -n, --namespace NAME   only this namespace (default: the context's, or default)
  -A, --all-namespaces   all namespaces
  -l, --selector TEXT    only objects with these labels: app=web,tier!=test
  -o, --output FORMAT    lines: one for each event, with the change (default);
                         ndjson: one JSON object for each event; yaml: a document for each
  --json                 the same as --output ndjson
${clusterUsage}

Failures are written to the error output, and the watch continues. The exit code is 1 if the server
cannot be reached at the start or refuses, 2 after a mistake in the command line, 130 on Ctrl-C,
and 0 when the reader of a pipe closes it.`;

const formats: readonly Format[] = ["lines", "ndjson", "yaml"];

/** Runs `listwatch watch`. */
export async function watch(args: readonly string[]): Promise<void> {
  const parsed = parseCommand(args, {
    usage,
    options: {
      namespace: { type: "string", short: "n" },
      "all-namespaces": { type: "boolean", short: "A" },
      selector: { type: "string", short: "l" },
      output: { type: "string", short: "o" },
      json: { type: "boolean" },
      ...clusterOptions,
    },
    expected: "a resource and maybe a name",
    least: 1,
    most: 2,
  });
  if (parsed === undefined) return;
  const { values } = parsed;
  const format = values.json === true ? "ndjson" : readFormat(values.output ?? "lines");
  const [resource, name] = readNames(parsed.positionals);
  const connection = await connectTo(values, usage);
  const { follow } = await import("./node-follow.ts");
  await follow(connection, {
    resource,
    name: name === undefined ? undefined : checkName("NAME", name, usage),
    namespace: values.namespace ?? connection.namespace ?? "default",
    allNamespaces: values["all-namespaces"] === true,
    selector: values.selector,
    format,
  });
}

function readFormat(text: string): Format {
  const format = formats.find((one) => one === text);
  if (format !== undefined) return format;
  throw new UsageError(`--output: expected ${formats.join(", ")}, got "${text}"`, usage);
}

/** Reads `pod web`, or `pod/web` as printed by kubectl. */
function readNames([first = "", second]: readonly string[]): [string, string | undefined] {
  const [resource = "", name, ...rest] = first.split("/");
  if (rest.length === 0 && (name === undefined || second === undefined)) {
    if (resource !== "" && name !== "") return [resource, name ?? second];
  }
  throw new UsageError(`expected RESOURCE NAME or RESOURCE/NAME, got "${first}"`, usage);
}
