import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { test } from "../demo/harness.ts";
import { listwatch, listwatchInTerminal, listwatchWithoutColours } from "./listwatch.ts";

const [green, red] = ["\u001b[32m", "\u001b[31m"];

if (spawnSync("script", ["--version"]).status === 0) testTerminals();
else console.log("not on this machine: pseudo-terminals, which script of util-linux makes");

function testTerminals(): void {
  test("watch colours events in a terminal, and Ctrl-C ends it with code 130", async () => {
    await using listener = await listen(new FakeApiServer());
    const program = listwatchInTerminal("watch", "ns", "--server", listener.url);
    await program.until("the list", () => program.output.includes("kube-system"));
    assert.ok(program.output.includes(` ${green}ADDED   \u001b[39m default\r\n`), program.output);
    program.type("\u0003");
    assert.equal(await program.exited, 130);
  });

  test("doctor colours its marks in a terminal", async () => {
    await using listener = await listen(new FakeApiServer());
    const well = listwatchInTerminal("doctor", "--server", listener.url);
    const ill = listwatchInTerminal("doctor", "--server", "http://127.0.0.1:1");
    await Promise.all([well.exited, ill.exited]);
    assert.ok(well.output.startsWith(`${green}✓`), well.output);
    assert.ok(!well.output.includes(red));
    assert.ok(ill.output.includes(`${red}✗`), ill.output);
    assert.equal(await ill.exited, 1);
  });

  test("NO_COLOR and pipes disable colours", async () => {
    await using listener = await listen(new FakeApiServer());
    const program = listwatchWithoutColours("doctor", "--server", listener.url);
    assert.equal(await program.exited, 0);
    assert.ok(program.output.startsWith("✓"), program.output);
    assert.ok(!program.output.includes("\u001b"));
    const piped = listwatch("doctor", "--server", listener.url);
    assert.equal(await piped.exited, 0);
    assert.ok(!piped.output.includes("\u001b"));
  });

  test("fake runs in a terminal until Ctrl-C", async () => {
    const program = listwatchInTerminal("fake", "--port", "0");
    await program.until("the kubeconfig", () => program.output.includes("export KUBECONFIG="));
    program.type("\u0003");
    assert.equal(await program.exited, 0);
  });
}
