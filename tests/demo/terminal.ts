import assert from "node:assert/strict";
import { Program, testInTerminal } from "./harness.ts";

const enterAlternateScreen = "\u001b[?1049h";
const leaveAlternateScreen = "\u001b[?25h\u001b[?1049l";
const equal = "cache = server \\((\\d+) = \\1\\)";

/** More than a picture has characters. */
const pictureLength = 20_000;

/** Waits until pictures after a key have shown each of these; each picture counts, however short. */
async function showsAfter(
  program: Program,
  key: string,
  ...texts: readonly RegExp[]
): Promise<void> {
  const start = program.text.length;
  program.type(key);
  for (const text of texts) {
    // Looks at what is new only: a long run prints megabytes.
    let seen = start;
    await program.until(`${text} after the key ${key}`, () => {
      const { length } = program.text;
      const isShown = text.test(program.text.slice(Math.max(start, seen - pictureLength)));
      seen = length;
      return isShown;
    });
  }
}

testInTerminal(
  "npm start in a terminal: keys break and strain, and each proves its claim",
  async () => {
    const program = Program.inTerminal("stty cols 80 rows 40; npm start --silent");
    // Before npm has even started Node.
    await showsAfter(
      program,
      "d",
      /Broke the connection \(key d\)/,
      new RegExp(`✓ reconnected after \\d+\\.\\d+ s · \\d+ changes? caught up · ${equal}`),
      /● watching/,
      /events\/s/,
      /UPDATED/,
    );
    // It was acted on once: each picture shows it in one line at most.
    for (const picture of program.text.split(" listwatch  pods in")) {
      assert.ok(picture.split("Broke the connection").length <= 2, picture);
    }
    await showsAfter(program, "c", /410 Expired/, /Listed \d+ objects at/, /recoveries 2/);
    const proof = new RegExp(`✓ 200 pods in the cache after \\d+\\.\\d+ s · ${equal}`);
    await showsAfter(program, "b", /Started 200 pods \(key b\)/, /analytics 20\d/, proof);
    await showsAfter(program, "?", /compared each object/);
    const many = (word: string): RegExp => {
      return new RegExp(`✓ 50,000 ${word} in \\d+\\.\\d s, [\\d,]+ events/s · ${equal}`);
    };
    await showsAfter(program, "?m", /Makes 50,000 pods/, /\d pods on the server/, many("added"));
    assert.match(program.text, /store[^]* 50\d\d\d objects/);
    await showsAfter(program, "m", /Removes 50,000 pods/, many("deleted"));
    program.type("q");
    assert.equal(await program.exited, 0);
    assert.ok(program.output.includes(enterAlternateScreen));
    const [, after = ""] = program.output.split(leaveAlternateScreen);
    assert.match(after, /^Summary: pods in all namespaces at http:\/\/127\.0\.0\.1:\d+/);
    assert.match(after, /recoveries 2\s*$/);
  },
);
