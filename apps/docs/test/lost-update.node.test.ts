import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const programs = {
  listwatch: "examples/lost-update.ts",
  clientNode: "examples/client-node/lost-update.ts",
};
const read = (file: string): string => readFileSync(file, "utf8");
const versionIn = (file: string, of: (manifest: Record<string, unknown>) => unknown): unknown =>
  of(JSON.parse(read(file)) as Record<string, unknown>);

/** Both streams in one, as in a terminal. */
function outputOf(file: string): Promise<string> {
  const { promise, reject, resolve } = Promise.withResolvers<string>();
  const command = [process.execPath, "--conditions=@listwatch/source", file].join(" ");
  execFile("sh", ["-c", `${command} 2>&1`], (error, stdout) => {
    if (error === null) resolve(stdout);
    else reject(new Error(`${error.message}\n${stdout}`));
  });
  return promise;
}

test("the controller on client-node loses the pod whose patch was answered with 429, as recorded", async () => {
  const output = await outputOf(programs.clientNode);
  expect(output).toBe(read(programs.clientNode.replace(".ts", ".out")));
  expect(output).toContain("pods without the label: 1");
});

test("the same test with a controller on listwatch loses no pod", async () => {
  const output = await outputOf(programs.listwatch);
  expect(output).toBe(read(programs.listwatch.replace(".ts", ".out")));
  expect(output).toContain("pods without the label: 0");
});

test("both programs have the same test, line by line", () => {
  const [ours, theirs] = Object.values(programs).map((file) => {
    const [part] = /^\/\/ The test: .*?\n\n/ms.exec(read(file)) ?? [];
    return part;
  });
  expect(ours).toMatch(/pods without the label/);
  expect(ours).toBe(theirs);
});

test("the version that the page states for client-node is the one that ran", () => {
  const stated = versionIn("package.json", ({ devDependencies }) =>
    Reflect.get(Object(devDependencies), "@kubernetes/client-node"),
  );
  expect(
    versionIn("node_modules/@kubernetes/client-node/package.json", (it) => it["version"]),
  ).toBe(stated);
});
