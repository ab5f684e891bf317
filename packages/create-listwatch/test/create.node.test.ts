import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { readManifests } from "@listwatch/testing";
import { generateDefinitions } from "@listwatch/resources/generator";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pluralOf } from "../src/commands/answers.ts";

const program = join(import.meta.dirname, "../src/node-cli.ts");
let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "create-listwatch-"));
});
afterAll(() => rm(root, { recursive: true }));

function createListwatch(...args: string[]) {
  return spawnSync(process.execPath, [program, ...args], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function filesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile());
  const read = async ({ name, parentPath }: (typeof paths)[number]): Promise<[string, string]> => [
    join(parentPath, name).slice(join(root, folder).length + 1),
    await readFile(join(parentPath, name), "utf8"),
  ];
  return new Map(await Promise.all(paths.map(read)));
}

test("writes at most fifteen files, with the words of the answers", async () => {
  const args = ["keeper", "--kind", "BackupPolicy", "--group", "acme.io"];
  const { status, stdout } = createListwatch(...args);
  expect(status).toBe(0);
  expect(stdout).toContain("Wrote 15 files to keeper");
  expect(stdout).toContain("  cd keeper\n  npm install\n");
  const files = await filesIn("keeper");
  expect(files.size).toBe(15);
  expect([...files.keys()]).toEqual(
    expect.arrayContaining([
      ".gitignore",
      ".github/workflows/ci.yml",
      "src/backuppolicies.generated.ts",
    ]),
  );
  for (const [path, text] of files) {
    expect([path, /greet|example\.com/i.exec(text)?.[0]]).toEqual([path, undefined]);
  }
  expect(files.get("package.json")).toMatch(/"name": "keeper"/);
});

test("writes the types that upgrade-types would write", async () => {
  expect(
    createListwatch("types", "--kind", "Volume", "--group", "zoo.example", "--yes").status,
  ).toBe(0);
  const definitions = await readManifests(join(root, "types/manifests/definition.yaml"));
  const files = await filesIn("types");
  expect(files.get("src/volumes.generated.ts")).toBe(
    generateDefinitions(definitions, { imports: "listwatch" }),
  );
});

test("writes a dashboard, which has no custom resource", async () => {
  const { status, stdout } = createListwatch("dashboard", "boards");
  expect(status).toBe(0);
  expect(stdout).toContain("Wrote 11 files to boards");
  const files = await filesIn("boards");
  for (const [path, text] of files)
    expect([path, text.includes("podboard")]).toEqual([path, false]);
  expect(files.get("manifests/rbac.yaml")).toContain("name: boards");
  const { status: refused, stderr } = createListwatch("dashboard", "other", "--kind", "Backup");
  expect([refused, stderr]).toEqual([
    2,
    "create-listwatch: --kind: expected a template with a custom resource\n",
  ]);
});

/** Runs the command on a terminal, which `script` of util-linux makes. */
function onTerminal(input: string, ...args: string[]) {
  const line = [process.execPath, program, ...args].join(" ");
  return spawnSync("script", ["-qec", line, "/dev/null"], { cwd: root, encoding: "utf8", input });
}

// Deno would ask on the terminal what the program may do.
const hasTerminals =
  process.platform === "linux" &&
  process.versions["deno"] === undefined &&
  spawnSync("script", ["-V"]).status === 0;

test.runIf(hasTerminals)("asks three questions on a terminal", async () => {
  const { status, stdout } = onTerminal("asked\nVolume\nzoo.example\n");
  const text = stripVTControlCharacters(stdout);
  expect(text.match(/\w[\w ]* \[[\w.-]+\]: /g)).toEqual([
    "Folder [my-operator]: ",
    "Kind [Greeting]: ",
    "API group [example.com]: ",
  ]);
  expect(status).toBe(0);
  const files = await filesIn("asked");
  expect(files.get("manifests/definition.yaml")).toContain("name: volumes.zoo.example");
});

test.runIf(hasTerminals)("an end of the input in place of an answer writes nothing", async () => {
  const before = await readdir(root);
  const { status, stdout } = onTerminal("\u0004", "quit");
  expect([status, stdout]).toEqual([2, expect.stringContaining("expected --kind, got no answer")]);
  expect(await readdir(root)).toEqual(before);
});

test("writes into an empty folder only", async () => {
  await mkdir(join(root, "full"));
  await writeFile(join(root, "full/notes.txt"), "");
  const { status, stderr } = createListwatch("full", "--yes");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "create-listwatch: " +
      `${join(root, "full")}: expected an empty folder, got one with notes.txt\n`,
  );
  expect(await readdir(join(root, "full"))).toEqual(["notes.txt"]);
  await mkdir(join(root, "empty"));
  expect(createListwatch("empty", "--yes").status).toBe(0);
});

test.each([
  [["My_Operator", "--yes"], "the name of the folder: expected lower-case letters"],
  [["a", "--yes", "--kind", "backup"], "--kind: expected an upper-case letter"],
  [["a", "--yes", "--kind", "ConfigMap"], "--plural: expected a name that the code does not use"],
  [["a", "--yes", "--kind", "Manager"], "--kind: expected a name that the code does not use"],
  [["a", "--yes", "--group", "apps.k8s.io"], "--group: expected a domain of yours"],
  [["a", "--yes", "--template", "page"], '--template: expected dashboard or operator, got "page"'],
  [["a", "b", "--yes"], "expected one folder, got a b"],
  [["a", "--nope"], "Unknown option '--nope'"],
  [["a"], "expected --kind or --yes, since there is no terminal"],
  [[], "expected a folder or --yes"],
])("refuses %j and writes nothing", async (args, message) => {
  const before = await readdir(root);
  const { status, stderr } = createListwatch(...args);
  expect(stderr).toContain(message);
  expect(status).toBe(2);
  expect(await readdir(root)).toEqual(before);
});

test("knows English plurals", () => {
  expect(
    ["Greeting", "BackupPolicy", "Proxy", "Box", "Gateway", "Bus", "Patch"].map(pluralOf),
  ).toEqual(["greetings", "backuppolicies", "proxies", "boxes", "gateways", "buses", "patches"]);
});
