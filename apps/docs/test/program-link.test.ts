import { expect, test } from "vitest";
import { exampleOf, programFragment, readProgram } from "../src/components/live/program-link.ts";

test("a program travels in a fragment, with the name of its example", async () => {
  const code = 'console.log("añ → 🎈");\n'.repeat(40);
  const fragment = await programFragment({ example: "build-your-own/02-keys", code });
  expect(fragment).toMatch(/^#program=[\w%.-]+:[\w-]+$/);
  expect(fragment.length).toBeLessThan(200);
  expect(exampleOf(fragment)).toBe("build-your-own/02-keys");
  expect(await readProgram(fragment)).toBe(code);
});

test("a damaged fragment is refused, and so is one that unpacks without end", async () => {
  const fragment = await programFragment({ example: "a", code: "console.log(1);" });
  const damaged = [fragment.slice(0, -4), "#program=a:!!", "#program=a:", "#program=a"];
  const read = await Promise.allSettled(damaged.map((one) => readProgram(one)));
  expect(read.map(({ status }) => status)).toEqual(damaged.map(() => "rejected"));
  const long = await programFragment({ example: "a", code: "a".repeat(200_001) });
  expect(long.length).toBeLessThan(1000);
  await expect(readProgram(long)).rejects.toThrow("Expected at most 200000 bytes");
  expect(exampleOf("#program=%zz:a")).toBe("");
});
