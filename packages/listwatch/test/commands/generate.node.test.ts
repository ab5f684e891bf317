import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createClient, createConnection } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { customresourcedefinitions } from "@listwatch/resources/apiextensions.k8s.io/v1";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generate } from "../../src/commands/node-generate.ts";

const program = join(import.meta.dirname, "../../src/node-cli.ts");
let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "listwatch-generate-"));
  file = join(folder, "definitions.yaml");
  await writeFile(file, manifests);
});
afterAll(() => rm(folder, { recursive: true }));

const manifests = `
apiVersion: v1
kind: Namespace
metadata: { name: shop }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget, shortNames: [wd] }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: { type: integer } } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.other.example.com }
spec:
  group: other.example.com
  scope: Cluster
  names: { plural: gadgets, kind: Gadget }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object } }
`;

async function generated(...args: string[]): Promise<string> {
  const output = join(folder, "generated.ts");
  await generate([...args, "--output", output]);
  return readFile(output, "utf8");
}

/** Runs the command in a separate process. */
async function run(args: readonly string[], input = "") {
  const options = ["--conditions=@listwatch/source", program, "generate", ...args];
  const child = spawn("node", options, { stdio: "pipe" });
  child.stdin.end(input);
  const exit = new Promise((resolve) => child.on("close", resolve));
  const [code, out, error] = await Promise.all([exit, text(child.stdout), text(child.stderr)]);
  return { code, out, error };
}

describe("listwatch generate", () => {
  test("writes the types of the definitions in files, and --check reports a difference (TGEN-1)", async () => {
    const source = await generated(file);
    expect(source).toContain('import type { Resource } from "listwatch";');
    expect(source).toContain("export interface WidgetSpec {\n  size?: number | undefined;\n}");
    expect(source).toContain('export const gadgets: Resource<Gadget, "Cluster", object> = {');
    expect(await generated(file, "--check")).toBe(source);
    await expect(generated(file, "--check", "--group", "example.com")).rejects.toThrow(
      "generated.ts is not up to date: run the same command without --check",
    );
    expect(await generated(file)).toBe(source);
  });

  test("makes the folder of the output file, and --check does not", async () => {
    const output = join(folder, "new", "folder", "widgets.ts");
    await expect(generate([file, "--check", "-o", output])).rejects.toThrow("is not up to date");
    await expect(readdir(join(folder, "new"))).rejects.toThrow("ENOENT");
    await generate([file, "-o", output]);
    expect(await readFile(output, "utf8")).toBe(await generated(file));
  });

  test("selects definitions by group, and imports from the layers", async () => {
    const source = await generated(file, "--group", "other.example.com", "--imports", "layers");
    expect(source).not.toContain("Widget");
    expect(source).toContain('import type { Resource } from "@listwatch/client/resource";');
  });

  test("reads the definitions of a cluster", async () => {
    await using server = await listen(new FakeApiServer());
    const client = createClient(createConnection({ server: server.url }));
    const { parseAllDocuments } = await import("yaml");
    for (const document of parseAllDocuments(manifests)) {
      const object: unknown = document.toJS();
      if (Reflect.get(Object(object), "kind") === "Namespace") continue;
      await client.resource(customresourcedefinitions).create(object as never);
    }
    const source = await generated("--from-cluster", "--server", server.url);
    expect(source).toBe(await generated(file));
  });

  test("reads standard input and writes standard output", async () => {
    const { code, error, out } = await run(["-"], manifests);
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).toBe(await generated(file));
  });

  test("supports YAML merge keys, like kubectl", async () => {
    const merged = manifests.replace(
      "spec: { type: object, properties: { size: { type: integer } } }",
      "spec: { properties: { size: &size { type: integer }, depth: { <<: *size } }, type: object }",
    );
    const path = join(folder, "merged.yaml");
    await writeFile(path, merged);
    expect(await generated(path)).toContain("  depth?: number | undefined;");
  });

  test("reads the definitions of a folder, and reports unreadable files", async () => {
    const crds = join(folder, "crds");
    await mkdir(join(crds, "nested"), { recursive: true });
    const [, widgets = "", gadgets = ""] = manifests.split("---");
    await writeFile(join(crds, "nested", "widgets.yml"), widgets);
    await writeFile(join(crds, "gadgets.yaml"), gadgets);
    await writeFile(join(crds, "notes.txt"), "a: [");
    expect(await generated(crds)).toBe(await generated(file));
    const missing = join(folder, "missing.yaml");
    await expect(generated(missing)).rejects.toThrow(`Cannot read ${missing}: ENOENT`);
  });

  test("exits with 1 after a failure, and with 2 for wrong arguments", async () => {
    expect(await run(["-"], "a: [")).toMatchObject({
      code: 1,
      error: expect.stringContaining("listwatch: Cannot read the standard input: "),
    });
    expect(await run(["-"], "kind: Pod")).toMatchObject({
      code: 1,
      error: expect.stringContaining("expected a CustomResourceDefinition, got 1 documents"),
    });
    for (const [args, message] of [
      [[], "expected either files or --from-cluster"],
      [[file, "--from-cluster"], "expected either files or --from-cluster"],
      [[file, "--check"], "--check: expected --output"],
      [[file, "--imports", "all"], '--imports: expected listwatch or layers, got "all"'],
      [[file, "--colour"], "Unknown option '--colour'"],
    ] as const) {
      const { code, error } = await run(args);
      expect({ code, error }).toEqual({ code: 2, error: expect.stringContaining(message) });
    }
  });
});
