import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { runtime } from "../support/listen-here.ts";

const program = fileURLToPath(new URL("../support/deno-listener.ts", import.meta.url));

function run(what: string): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const args = ["run", "-A", "--conditions=@listwatch/source", program, what];
  return promisify(execFile)(process.execPath, args);
}

describe.runIf(runtime === "deno")("a listener on Deno", { timeout: 60_000 }, () => {
  test("sees that the client of a watch has gone, and causes no warning of the runtime", async () => {
    expect(await run("watch")).toEqual({ stdout: "listed\nwatch has ended\n", stderr: "" });
  });

  test.each(["early", "late"])(
    "sees that a client has gone without an answer, %s",
    async (when) => {
      const { stdout } = await run(when);
      expect(stdout).toBe("unanswered request has ended\n");
    },
  );
});
