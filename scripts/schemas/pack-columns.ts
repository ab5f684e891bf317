// Writes how a Kubernetes API server describes the columns of its tables into a module of the fake
// one:
//
//   node --conditions=@listwatch/source scripts/schemas/pack-columns.ts KUBECONFIG
import { writeFileSync } from "node:fs";
import { connect } from "listwatch/node";

interface Column {
  readonly name: string;
  readonly description: string;
}

interface Resource {
  readonly name: string;
  readonly verbs: readonly string[];
}

interface Group {
  readonly preferredVersion: { readonly groupVersion: string };
}

const output = new URL(
  "../../packages/fake-apiserver/src/output/column-descriptions.generated.ts",
  import.meta.url,
);
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
// Columns of nearly all kinds are written once, under "".
const common: Readonly<Record<string, string>> = { Name: "", Age: "", "Created At": "" };

const [kubeconfig = ""] = process.argv.slice(2);
await using connection = await connect({ paths: [kubeconfig] });
const found: Record<string, Record<string, string>> = { "": { ...common } };
const { groups } = await ask<{ groups: readonly Group[] }>("/apis");
const versions = groups.map(({ preferredVersion }) => preferredVersion.groupVersion);
for (const path of ["/api/v1", ...versions.map((version) => `/apis/${version}`)]) {
  const { resources } = await ask<{ resources: readonly Resource[] }>(path);
  for (const { name, verbs } of resources) {
    if (!verbs.includes("list")) continue;
    const [, , group = ""] = path === "/api/v1" ? [] : path.split("/");
    const columns = await ask<{ columnDefinitions: readonly Column[] }>(
      `${path}/${name}?limit=1`,
      table,
    );
    add(`${name}.${group}`, columns.columnDefinitions);
  }
}
const text = JSON.stringify(JSON.stringify(found));
writeFileSync(
  output,
  "// Written by scripts/schemas/pack-columns.ts.\n\n" +
    '/** Descriptions of columns by resource and name; under "", those of all resources. */\n' +
    `export const columnDescriptionsJson: string =\n  ${text};\n`,
);
console.log(`Described the columns of ${Object.keys(found).length - 1} resources`);

function add(resource: string, columns: readonly Column[]): void {
  const shared = found[""] ?? {};
  for (const { description, name } of columns) {
    if (shared[name] === "") shared[name] = description;
    if (shared[name] !== description) (found[resource] ??= {})[name] = description;
  }
}

async function ask<T>(path: string, accept = "application/json"): Promise<T> {
  const request = new Request(new URL(path, connection.server), { headers: { accept } });
  const response = await connection.fetch(request);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()) as T;
}
