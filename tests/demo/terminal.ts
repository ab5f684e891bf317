import assert from "node:assert/strict";
import { Program, test } from "./harness.ts";

const enterAlternateScreen = "\u001b[?1049h";
const leaveAlternateScreen = "\u001b[?25h\u001b[?1049l";

/** The resourceVersion on the screen. */
function resourceVersion(program: Program): number {
  return Number(/rv (\d+)/.exec(program.screen)?.[1] ?? 0);
}

test("in a terminal of 80×24 the view fits, and d, c, b and q do what they say", async () => {
  const program = Program.demoInTerminal(80, 24);
  await program.until("the watch", () => program.screen.includes("● watching"));
  await program.until("an event", () => program.screen.includes("updated"));
  for (const line of program.screenLines) assert.ok(line.length <= 80, `too wide: "${line}"`);
  assert.equal(program.screenLines.length, 24);
  for (const namespace of ["analytics", "kube-system", "payments", "shop"]) {
    assert.match(program.screen, new RegExp(`^ ${namespace} +\\d+ `, "m"));
  }

  program.type("d");
  await program.until("the drop", () => program.screen.includes("(key d)"));
  await program.until("the recovery", () => program.screen.includes("recoveries 1"));
  const dropped = resourceVersion(program);
  await program.until("events go on", () => resourceVersion(program) > dropped);

  program.type("c");
  await program.until("the 410", () => program.screen.includes("410 Expired"));
  await program.until("the relist", () => /Listed \d+ objects at/.test(program.screen));
  await program.until("the recovery", () => program.screen.includes("recoveries 2"));
  const compacted = resourceVersion(program);
  await program.until("events go on", () => resourceVersion(program) > compacted);

  program.type("b");
  await program.until("the burst", () => program.screen.includes("Started 200 pods (key b)"));
  await program.until("its pods", () => /analytics +2\d\d /.test(program.screen));
  assert.match(program.screen, /● watching/);

  program.type("q");
  assert.equal(await program.exited, 0);
  assert.ok(program.output.includes(enterAlternateScreen));
  const [, after] = program.output.split(leaveAlternateScreen);
  assert.match(after ?? "", /^Summary: pods in all namespaces/);
  assert.match(after ?? "", /recoveries 2\s*$/);
});

test("Ctrl-C gives the terminal back and prints the summary", async () => {
  const program = Program.demoInTerminal(100, 30);
  await program.until("the watch", () => program.screen.includes("● watching"));
  program.type("\u0003");
  await program.exited;
  const [, after] = program.output.split(leaveAlternateScreen);
  assert.match(after ?? "", /^Summary: pods in all namespaces/);
});
