import { expect, test } from "vitest";
import { DemoRun } from "./support/demo-run.ts";

/** The columns of the dots between server and handlers. */
function dots(demo: DemoRun): readonly number[] {
  return [...(demo.screen[3] ?? "").matchAll(/●/g)].map(({ index }) => index);
}

test("a picture has as many lines as the terminal and none is wider, from 20×6 to 200×60", async () => {
  await using demo = new DemoRun([], { size: [80, 24] });
  await demo.until("● watching");
  await demo.clock.advance(20_000);
  for (const columns of [20, 40, 60, 79, 80, 81, 120, 200]) {
    for (const rows of [6, 10, 16, 24, 25, 40, 60]) {
      demo.resize(columns, rows);
      for (const key of ["?", "?"]) {
        demo.type(key);
        await demo.clock.advance(100);
        expect(demo.screen.length).toBe(rows);
        for (const line of demo.screen) expect(line.length).toBeLessThanOrEqual(columns);
      }
    }
  }
});

test("a picture of 80×24 shows every stage with its number, each namespace, events and keys", async () => {
  await using demo = new DemoRun([], { size: [80, 24] });
  await demo.until("● watching");
  await demo.clock.advance(20_000);
  await demo.until(/shop\/\S+ +Pending → ContainerCreating/);
  const text = demo.screen.join("\n");
  expect(text).toMatch(/^ listwatch {2}pods in all namespaces {2}http:\/\/demo +2\ds$/m);
  expect(text).toMatch(/^ API server +reflector +queue +store +handlers$/m);
  expect(text).toMatch(/^ ● watching +rv \d+ +0 \(peak \d+\) +\d+ objects +\d+ events$/m);
  expect(text).toMatch(/^ last event \d+s ago$/m);
  expect(text).toContain(" mailboxes  screen 0 waiting  metrics 0 waiting  audit 0 waiting");
  expect(text).toMatch(/^ Watching pods at http:\/\/demo +2\ds$/m);
  expect(text).toMatch(/^ objects +analytics \d+ +kube-system \d+ +payments \d+ +shop \d+ *$/m);
  expect(text).toMatch(/^ events\/s [1-9]\d*\.\d ▁+[▁▂▃▄▅▆▇█]+$/m);
  expect(text).toMatch(/^ +\d+s UPDATED shop\/\S+ +Pending → ContainerCreating$/m);
  expect(demo.styledScreen).toContain("\u001b[32mRunning\u001b[39m");
});

test("changes move from the server to the handlers", async () => {
  await using demo = new DemoRun([], { size: [80, 24] });
  await demo.until("● watching");
  // All that were listed move together, and nothing else has happened yet.
  const start = demo.clock.now();
  const seen = [dots(demo)];
  while (seen.at(-1)?.length !== 0) {
    await demo.clock.advance(100);
    seen.push(dots(demo));
  }
  const columns = seen.flat();
  expect(columns).toEqual(columns.toSorted((a, b) => a - b));
  expect(columns.at(-1)).toBeGreaterThan(60);
  expect(demo.clock.now() - start).toBeLessThanOrEqual(1300);
});

test.each([
  [120, " d drop c compact s 429 l latency h slow b burst m 50,000 p pause ? help q quit"],
  [80, " d drop c compact s 429 l latency h slow b burst m 50,000 p pause ? help q quit"],
  [60, " d c s l h b m p ? help q quit"],
  [40, " d c s l h b m p ? help q quit"],
])("at %i columns the line of keys is whole", async (columns, keys) => {
  await using demo = new DemoRun([], { size: [columns, 24] });
  await demo.until("● watching");
  expect(demo.screen.at(-1)).toBe(keys);
  demo.type("lh");
  await demo.clock.advance(200);
  // The faults that are on are in capitals.
  const on =
    columns < 80
      ? keys.replace(" l h ", " L H ")
      : keys.replace("latency h slow", "LATENCY h SLOW");
  expect(demo.screen.at(-1)).toBe(on);
  expect(demo.styledScreen).toContain(columns < 80 ? "\u001b[7mL" : "\u001b[33m LATENCY");
});

test("p holds the picture and not the informer, ? explains each key, arrows do nothing", async () => {
  await using demo = new DemoRun([], { size: [80, 30] });
  await demo.until("● watching");
  await demo.clock.advance(1000);
  demo.type("p");
  await demo.clock.advance(100);
  const before = demo.output.length;
  await demo.clock.advance(10_000);
  expect(demo.output.length).toBe(before);
  demo.type("p");
  await demo.until("UPDATED");
  demo.type("?");
  await demo.until("compared each object");
  for (const key of ["d", "c", "s", "l", "h", "b", "m", "p", "?", "q"]) {
    expect(demo.screen.some((line) => line.startsWith(`  ${key}  `))).toBe(true);
  }
  demo.type("\u001b[B");
  // Also when it arrives in two pieces.
  demo.type("\u001b");
  await demo.clock.settle();
  demo.type("[B");
  await demo.clock.advance(1000);
  demo.type("?");
  await demo.until("● watching");
  expect(demo.text).not.toContain("(key b)");
});

test("NO_COLOR gives the same picture without colours", async () => {
  const env = { NO_COLOR: "1" };
  await using demo = new DemoRun([], { size: [80, 24], env });
  await demo.until("● watching");
  await demo.until("UPDATED");
  // Frames are drawn with cursor sequences, and no "select graphic rendition" (ECMA-48 §8.3.117).
  const sequences = demo.output.split("\u001b[");
  expect(sequences.length).toBeGreaterThan(10);
  expect(sequences.filter((text) => /^[\d;]*m/.test(text))).toEqual([]);
});

test("a dumb terminal gets lines as a pipe does", async () => {
  await using demo = new DemoRun([], { size: [80, 24], env: { TERM: "dumb" } });
  await demo.until("------  Watching pods at http://demo");
  expect(demo.output).not.toContain("\u001b[");
});

test.each(["q", "Q", "\u0003"])(
  "%j gives the terminal back and prints the summary",
  async (key) => {
    await using demo = new DemoRun([], { size: [80, 24] });
    await demo.until("● watching");
    expect(demo.output.startsWith("\u001b[?1049h\u001b[?25l")).toBe(true);
    demo.type(key);
    expect(await demo.ended()).toEqual([]);
    const [, after = ""] = demo.output.split("\u001b[?25h\u001b[?1049l");
    expect(after).toMatch(/^Summary: pods in all namespaces at http:\/\/demo/);
    expect(after).toMatch(/recoveries 0\n$/);
  },
);

test("a terminal without a size counts as 80×24", async () => {
  await using demo = new DemoRun([], { size: [0, 0] });
  await demo.until("● watching");
  expect(demo.screen.length).toBe(24);
  expect(demo.screen[1]?.length).toBe(80);
});
