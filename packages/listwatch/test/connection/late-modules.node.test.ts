import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../../..");

/** Modules of the runtime that take longer to load than the packages. */
const slow = ["http", "https", "tls", "crypto", "zlib", "child_process"] as const;
const fetchModule = "internal/deps/undici/undici";

// Only Node lists the modules that it has loaded.
const onNode = { skip: "Deno" in globalThis || "Bun" in globalThis };

/** Runs a program, and returns which of the slow modules it has loaded. */
async function slowModulesOf(program: string): Promise<readonly string[]> {
  const report = "console.log(JSON.stringify(process.moduleLoadList))";
  const options = ["--conditions=@listwatch/source", "--input-type=module"];
  const text = `${program}\n${report}\nprocess.exit()`;
  const { stdout } = await run(process.execPath, [...options, "--eval", text], { cwd: root });
  const loaded = new Set(JSON.parse(stdout) as readonly string[]);
  return [...slow, fetchModule].filter((name) => loaded.has(`NativeModule ${name}`));
}

const connecting = `
  await import("listwatch");
  const { createClusterConnection } = await import("listwatch/node");
  const connection = createClusterConnection({
    origin: "test",
    server: "http://127.0.0.1:1",
    user: {},
  });
`;

test("an import and a connection load no HTTP module of Node", onNode, async () => {
  expect(await slowModulesOf(connecting)).toEqual([]);
});

test("the first request loads them, without those of plugins", onNode, async () => {
  const request = 'new Request("http://127.0.0.1:1")';
  const asking = `await connection.fetch(${request}).catch(() => undefined);`;
  const loaded = await slowModulesOf(connecting + asking);
  expect(loaded).toEqual(expect.arrayContaining(["http", "https", fetchModule]));
  expect(loaded).not.toContain("child_process");
});
