import { expect, test, vi } from "vitest";
import { consoleText } from "../src/components/console-text.ts";

const programs = import.meta.glob<unknown>("../src/examples/*.example.ts");
const outputs = import.meta.glob<string>("../src/examples/*.example.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

test("every example has its expected output, and every output its example", () => {
  const names = (files: object): string[] =>
    Object.keys(files).map((path) => path.replace(/\.example\.(ts|txt)$/, ""));
  expect(names(programs)).toEqual(names(outputs));
});

for (const [path, load] of Object.entries(programs)) {
  const name = path.replace(/^.*\/(.*)\.example\.ts$/, "$1");
  test(`the example "${name}" prints what its page shows`, async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    try {
      await load();
      const printed = log.mock.calls.map((call) => consoleText(call)).join("\n");
      expect(printed).toBe(outputs[path.replace(/\.ts$/, ".txt")]?.trimEnd());
    } finally {
      log.mockRestore();
    }
  });
}
