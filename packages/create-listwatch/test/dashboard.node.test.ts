import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

// `npm test` of the project runs them with Node.
const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

test.runIf(isOnNode)("the tests of the dashboard pass", () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--conditions=@listwatch/source", "--test", "--test-reporter=tap"],
    {
      cwd: join(import.meta.dirname, "../templates/dashboard"),
      encoding: "utf8",
      // A test runner inside of another one reports to that one.
      env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    },
  );
  expect(stdout).toMatch(/^# pass 2$/m);
  expect(status).toBe(0);
});
