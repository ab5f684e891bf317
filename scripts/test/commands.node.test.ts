import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { describe, expect, test } from "vitest";
import { readJson } from "../workspace.ts";

interface Step {
  readonly name: string;
  readonly args?: readonly string[];
}

/** The tables are plain JavaScript, which Node 20 reads. */
interface Tables {
  readonly commands: Readonly<Record<string, { readonly after?: readonly string[] }>>;
  readonly generators: Readonly<Record<string, readonly string[]>>;
  readonly lists: Readonly<Record<"check" | "quick" | "field", readonly Step[]>>;
  readonly once: readonly string[];
}

const modules = ["../commands.mjs", "../steps.mjs"].map((path) => import(path));
const { commands, generators, lists, once } = Object.assign(
  {},
  ...(await Promise.all(modules)),
) as Tables;
const { scripts } = readJson("package.json") as {
  readonly scripts: Readonly<Record<string, string>>;
};
const targets = Object.values(scripts).map((line) => line.replace("node scripts/run.mjs ", ""));
const steps = Object.values(lists).flat();
const isCommand = (name: string): boolean => Object.hasOwn(commands, name);

test("package.json has at most thirty scripts, and each of them is a command", () => {
  expect(targets.length).toBeLessThanOrEqual(30);
  expect(targets.filter((name) => name !== "gen" && !isCommand(name))).toEqual([]);
});

test("each command is a script, a step or a generator", () => {
  const known = new Set([...targets, ...steps.map(({ name }) => name), ...Object.keys(generators)]);
  // A list that is a command as well.
  known.add("quick");
  expect(Object.keys(commands).filter((name) => !known.has(name))).toEqual([]);
});

describe.each(Object.entries(lists))("the list %s", (_list, own) => {
  test("has commands, each once, and all that they follow", () => {
    const names = own.map(({ name }) => name);
    expect(names.filter((name) => !isCommand(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    const followed = names.flatMap((name) => commands[name]?.after ?? []);
    expect(followed.filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe("the unit tests that the check runs on Node alone", () => {
  const all = globSync([
    "{packages,apps}/*/test/**/*.test.ts",
    "{conformance,scripts,tests/{field,fuzz}}/test/*.test.ts",
  ]);
  const isOnce = (file: string): boolean => once.some((pattern) => matchesGlob(file, pattern));

  test("are there", () => {
    const stale = once.filter((pattern) => !all.some((file) => matchesGlob(file, pattern)));
    expect(stale).toEqual([]);
  });

  test("are few, and each package has most of its tests on all runtimes", () => {
    const shares = globSync("packages/*").map((folder) => {
      const own = all.filter((file) => file.startsWith(`${folder}/`));
      return [folder, own.filter((file) => !isOnce(file)).length / own.length] as const;
    });
    expect(shares.filter(([, share]) => share < 0.75)).toEqual([]);
  });

  test("run everywhere in `npm run test:field`", () => {
    for (const name of ["deno", "bun", "browser", "node22"]) {
      const step = lists.field.find((each) => each.name === name);
      expect(step?.args?.filter((argument) => argument.startsWith("--exclude")) ?? []).toEqual([]);
      expect(step).toBeDefined();
    }
  });
});

test("the commands that texts name are there", () => {
  const files = globSync(
    [
      "*.md",
      ".github/**/*.yml",
      "{apps,bench,conformance,docs,examples,packages,scripts,tests}/**/*.{ts,mjs,md,mdx,go,wat}",
    ],
    { exclude: (path) => /(?:^|\/)(?:node_modules|dist|test-results|api)$/.test(path) },
  ).filter((file) => !file.endsWith("CHANGELOG.md"));
  const unknown = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/npm run ([a-z][\w:-]*)(?: -- ([a-z][\w-]*))?/g)]
      .filter(([, script = "", argument]) => !isNamed(script, argument))
      .map(([line]) => `${file}: ${line}`),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(unknown).toEqual([]);
});

/** Commands of the projects that `npm create listwatch` writes. */
const ofTemplates = globSync("packages/create-listwatch/templates/*/package.json").flatMap(
  (file) => {
    const manifest: { readonly scripts: object } = JSON.parse(readFileSync(file, "utf8"));
    return Object.keys(manifest.scripts);
  },
);

function isNamed(script: string, argument: string | undefined): boolean {
  if (ofTemplates.includes(script) && argument === undefined) return true;
  if (!Object.hasOwn(scripts, script)) return false;
  if (argument === undefined) return true;
  if (script === "gen") return Object.hasOwn(generators, argument);
  return (script !== "check" && script !== "test:field") || isCommand(argument);
}
