import assert from "node:assert/strict";
import { Program, testInTerminal } from "./harness.ts";

const enterAlternateScreen = "\u001b[?1049h";
const leaveAlternateScreen = "\u001b[?25h\u001b[?1049l";
const equal = "cache = server \\((\\d+) = \\1\\)";
const reconnected = new RegExp(
  `✓ reconnected after \\d+\\.\\d+ s · \\d+ changes? caught up · ${equal}`,
);

/** The resourceVersion on the screen. */
function resourceVersion(program: Program): number {
  return Number(/rv (\d+)/.exec(program.screen)?.[1] ?? 0);
}

/** How many events wait for the handler that can be made slow. */
function waitingForAudit(program: Program): number {
  return Number(/audit (\d+) waiting/.exec(program.screen)?.[1] ?? -1);
}

/** Waits for a text or a match on the screen. */
async function shows(program: Program, what: string | RegExp, withinMs?: number): Promise<void> {
  const isThere = (): boolean =>
    typeof what === "string" ? program.screen.includes(what) : what.test(program.screen);
  await program.until(String(what), isThere, withinMs);
}

testInTerminal(
  "in a terminal of 80×24 the view fits, and d, c, b and q prove their claims",
  async () => {
    const program = Program.demoInTerminal(80, 24);
    await shows(program, "● watching");
    await shows(program, "updated");
    for (const line of program.screenLines) assert.ok(line.length <= 80, `too wide: "${line}"`);
    assert.equal(program.screenLines.length, 24);
    assert.match(program.screenLines.at(-1) ?? "", / d drop .* m 50,000 p pause \? help q quit$/);
    for (const namespace of ["analytics", "kube-system", "payments", "shop"]) {
      assert.match(program.screen, new RegExp(`^ ${namespace} +\\d+ `, "m"));
    }
    assert.ok(program.styledScreen.includes("\u001b[32mRunning\u001b[39m"), "expected green");

    program.type("d");
    await shows(program, "Reset the watch's connection (key d)");
    await shows(program, "recoveries 1");
    await shows(program, reconnected);
    const dropped = resourceVersion(program);
    await program.until("events go on", () => resourceVersion(program) > dropped);

    program.type("c");
    await shows(program, "410 Expired");
    await shows(program, /Listed \d+ objects at/);
    await shows(program, "recoveries 2");
    await program.until("its proof", () => {
      // Newest first: the proof stands above the list that it is about.
      return /✓ reconnected [^]*Listed \d+ objects/.test(program.screen);
    });
    const compacted = resourceVersion(program);
    await program.until("events go on", () => resourceVersion(program) > compacted);

    program.type("b");
    await shows(program, "Started 200 pods (key b)");
    await shows(program, /analytics +2\d\d /);
    await shows(program, new RegExp(`✓ 200 pods in the cache after \\d+\\.\\d+ s · ${equal}`));
    assert.match(program.screen, /● watching/);

    program.type("q");
    assert.equal(await program.exited, 0);
    assert.ok(program.output.includes(enterAlternateScreen));
    const [, after] = program.output.split(leaveAlternateScreen);
    assert.match(after ?? "", /^Summary: pods in all namespaces/);
    assert.match(after ?? "", /recoveries 2\s*$/);
  },
);

testInTerminal("s refuses with 429 for a while, and the watch comes back", async () => {
  const program = Program.demoInTerminal(100, 30);
  await shows(program, "● watching");
  program.type("s");
  await shows(program, "The server refuses every list and watch with 429 for 5 s (key s)");
  await shows(program, " 429 storm · ");
  await shows(program, "answers 429 Too Many Requests");
  assert.doesNotMatch(program.screen, /● watching/);
  await shows(program, /The storm is over: [1-9]\d* requests? refused with 429/);
  await shows(program, reconnected, 60_000);
  const [, took = ""] = /after (\d+\.\d+) s/.exec(program.screen) ?? [];
  assert.ok(Number(took) >= 5, `expected at least the 5 s of the storm, got ${took}`);
  assert.doesNotMatch(program.screen, / 429 storm · /);
});

testInTerminal("l makes the network slow, and changes arrive as much later", async () => {
  const program = Program.demoInTerminal(100, 30);
  const proof = new RegExp(
    `✓ changes arrive (\\d\\.\\d\\d) s late \\(median of \\d+\\) · cache = `,
  );
  const late = (): number => Number(proof.exec(program.screen)?.[1] ?? Number.NaN);
  await shows(program, "● watching");
  program.type("l");
  await shows(program, / latency 800 ms · [^]* l LATENCY /);
  await shows(program, proof);
  assert.ok(late() >= 0.8, `expected at least 0.8 s, got ${late()}`);
  program.type("d");
  await shows(program, reconnected);
  const [, took = ""] = /reconnected after (\d+\.\d+) s/.exec(program.screen) ?? [];
  assert.ok(Number(took) >= 0.8, `expected a reconnection of at least 0.8 s, got ${took}`);
  program.type("l");
  await program.until("the quick network", () => late() < 0.8);
  assert.match(program.screen, / l latency /);
});

testInTerminal("h makes a handler slow: its mailbox grows, the others go on", async () => {
  const program = Program.demoInTerminal(100, 30);
  await shows(program, "● watching");
  program.type("h");
  await shows(program, / slow handler · [^]* h SLOW /);
  await program.until("two events", () => waitingForAudit(program) >= 2);
  const waiting = waitingForAudit(program);
  await program.until("more of them", () => waitingForAudit(program) > waiting);
  assert.match(program.screen, /screen 0 waiting {2}metrics 0 waiting/);
  await shows(program, new RegExp(`✓ audit: \\d+ waiting; others: 0, \\d+ delivered · ${equal}`));
  program.type("h");
  await shows(
    program,
    /✓ audit caught up \d+ events? in \d+\.\d+ s · the same history as screen \(\d+\)/,
  );
  await program.until("an empty mailbox", () => waitingForAudit(program) === 0);
});

testInTerminal("p holds the picture, ? explains each key, arrows do nothing", async () => {
  const program = Program.demoInTerminal(80, 30);
  await shows(program, "● watching");
  program.type("p");
  await program.until("the pause", () => program.output.includes("PAUSE"));
  const before = program.output.length;
  await new Promise((resolve) => {
    setTimeout(resolve, 1000);
  });
  assert.equal(program.output.length, before);
  program.type("p");
  await program.until("the picture", () => program.output.length > before);
  program.type("?");
  await shows(program, "compared each object");
  for (const key of ["d", "c", "s", "l", "h", "b", "m", "p", "?", "q"]) {
    assert.ok(
      program.screenLines.some((line) => line.startsWith(`  ${key}  `)),
      key,
    );
  }
  for (const line of program.screenLines) assert.ok(line.length <= 80, `too wide: "${line}"`);
  program.type("\u001b[B");
  program.type("?");
  await shows(program, "Last events");
  assert.doesNotMatch(program.screen, /key b/);
});

testInTerminal("m brings 50,000 objects through the watch, and removes them", async () => {
  const program = Program.demoInTerminal(100, 30);
  await shows(program, "● watching");
  program.type("m");
  await shows(program, "Makes 50,000 pods (key m)");
  await shows(program, /\d pods on the server/, 60_000);
  const proof = (word: string): RegExp =>
    new RegExp(`✓ 50,000 ${word} in \\d+\\.\\d s, [\\d,]+ events/s · ${equal}`);
  await shows(program, proof("added"), 400_000);
  await shows(program, /store[^]* 50\d\d\d objects/);
  program.type("m");
  await shows(program, proof("deleted"), 400_000);
});

testInTerminal("NO_COLOR gives the same picture without colours", async () => {
  const program = Program.inTerminal(
    "stty cols 80 rows 24; NO_COLOR=1 npm start --silent -- --seconds 8",
  );
  await shows(program, "● watching");
  await shows(program, "updated");
  assert.equal(await program.exited, 0);
  // Frames are drawn with cursor sequences, and no "select graphic rendition" (ECMA-48 §8.3.117).
  const sequences = program.output.split("\u001b[");
  assert.ok(!sequences.some((text) => /^[\d;]*m/.test(text)), "expected no colours");
});

testInTerminal("a dumb terminal gets lines as a pipe does", async () => {
  const program = Program.inTerminal("TERM=dumb npm start --silent -- --seconds 6");
  assert.equal(await program.exited, 0);
  assert.match(program.output, /------ {2}Watching pods at/);
  assert.ok(!program.output.includes("\u001b["), "expected no control sequences");
});

testInTerminal("Ctrl-C gives the terminal back and prints the summary", async () => {
  const program = Program.demoInTerminal(100, 30);
  await shows(program, "● watching");
  program.type("\u0003");
  await program.exited;
  const [, after] = program.output.split(leaveAlternateScreen);
  assert.match(after ?? "", /^Summary: pods in all namespaces/);
});
