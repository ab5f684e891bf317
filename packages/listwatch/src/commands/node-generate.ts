import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createClient } from "@listwatch/client";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import { generateDefinitions, type GenerateOptions } from "@listwatch/resources/generator";
import { clusterOptions, clusterUsage, parseCommand } from "./node-arguments.ts";
import { connectTo, type ClusterChoice } from "./node-cluster.ts";
import { readDocuments } from "./node-definition-files.ts";
import { UsageError } from "./node-usage-error.ts";

const usage = `Usage: listwatch generate FILE... [options]
       listwatch generate --from-cluster [options]

Writes a TypeScript module with the types and handles of custom resources.

  FILE                   YAML or JSON with CustomResourceDefinitions, other objects are
                         skipped; a folder with such files; - for the standard input
  --from-cluster         use the definitions of a cluster
  --group NAME           only definitions of this group; may be repeated
  -o, --output FILE      output file, whose folder is created (default: the standard output)
  --check                write nothing; the exit code is 1 if the output file is not up to date
  --imports WHAT         listwatch: the module imports from that package (default);
                         layers: from @listwatch/client and @listwatch/resources
${clusterUsage}`;

/** Runs `listwatch generate`. */
export async function generate(args: readonly string[]): Promise<void> {
  const parsed = parse(args);
  if (parsed === undefined) return;
  const { positionals: files, values } = parsed;
  const imports = importsOf(values.imports);
  const all =
    values["from-cluster"] === true ? await ofCluster(values) : await readDocuments(files);
  const { group: groups, output } = values;
  const source = generateDefinitions(all, { groups, imports });
  if (output === undefined) {
    process.stdout.write(source);
  } else if (values.check !== true) {
    await mkdir(dirname(output), { recursive: true });
    await writeFile(output, source);
  } else if ((await readFile(output, "utf8").catch(() => undefined)) !== source) {
    throw new Error(`${output} is not up to date: run the same command without --check`);
  }
}

function parse(args: readonly string[]) {
  const parsed = parseCommand(args, {
    usage,
    options: {
      "from-cluster": { type: "boolean" },
      group: { type: "string", multiple: true },
      output: { type: "string", short: "o" },
      check: { type: "boolean" },
      imports: { type: "string", default: "listwatch" },
      ...clusterOptions,
    },
    most: Infinity,
  });
  if (parsed === undefined) return undefined;
  const { positionals, values } = parsed;
  if (positionals.length > 0 === (values["from-cluster"] === true)) {
    throw new UsageError("expected either files or --from-cluster", usage);
  }
  if (values.check === true && values.output === undefined) {
    throw new UsageError("--check: expected --output with the file to compare", usage);
  }
  return parsed;
}

function importsOf(text: string): NonNullable<GenerateOptions["imports"]> {
  if (text === "listwatch" || text === "layers") return text;
  throw new UsageError(`--imports: expected listwatch or layers, got "${text}"`, usage);
}

async function ofCluster(choice: ClusterChoice): Promise<unknown[]> {
  const connection = await connectTo(choice, usage);
  const { items } = await createClient(connection).resource(customresourcedefinitions).list();
  // The items of a list do not contain their type.
  const { group, kind, version } = customresourcedefinitions;
  return items.map(({ metadata, spec }) => {
    return { apiVersion: `${group}/${version}`, kind, metadata, spec };
  });
}
