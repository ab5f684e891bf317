import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rbac } from "../../src/commands/node-rbac.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "listwatch-rbac-"));
});
afterAll(() => rm(folder, { recursive: true }));

// Writes what a test cluster with an account writes.
const right = { account: "shop/keeper", test: "t", verb: "list", group: "", resource: "pods" };
const lines = `${JSON.stringify({ ...right, namespace: "", name: "" })}\n`;
const program = (code: string): string[] => [process.execPath, "-e", code];
const recorded = program(
  `require("node:fs").appendFileSync(process.env.LISTWATCH_RIGHTS_FILE, ${JSON.stringify(lines)})`,
);

test("writes the roles for the requests of a command, into a folder that it creates", async () => {
  const output = join(folder, "manifests/rbac.yaml");
  await rbac(["-o", output, "--", ...recorded]);
  const text = await readFile(output, "utf8");
  expect(text).toMatch(/^# Written by "listwatch rbac"/);
  expect(text).toContain("resources: [pods]\n    verbs: [list]");
  await rbac(["-o", output, "--check", "--", ...recorded]);
  await writeFile(output, text.replace("[list]", "[get]"));
  await expect(rbac(["-o", output, "--check", "--", ...recorded])).rejects.toThrow(
    "not up to date",
  );
});

test("writes nothing after tests that fail, or without an account", async () => {
  const output = join(folder, "none.yaml");
  await expect(rbac(["-o", output, "--", ...program("process.exit(3)")])).rejects.toThrow(
    "The tests have failed (exit code 3)",
  );
  await expect(rbac(["-o", output, "--", ...program("")])).rejects.toThrow(
    "No program with a service account",
  );
  await expect(readFile(output)).rejects.toThrow("ENOENT");
});

test("says what is missing in the command line", async () => {
  await expect(rbac(["--", "true"])).rejects.toThrow("--output: expected a file");
  await expect(rbac(["-o", "x"])).rejects.toThrow("expected -- and a command");
  await expect(rbac(["-o", "x", "npm", "test"])).rejects.toThrow("expected -- before the command");
});
