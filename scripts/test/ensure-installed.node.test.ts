import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

const published = {
  "apps/demo": { dependencies: { sleep: "1.0.0" } },
  "packages/one": { dependencies: { yaml: "1.0.0" }, devDependencies: { vitest: "1.0.0" } },
};
const tools = { tools: { devDependencies: { turbo: "1.0.0" } } };
const at = (name: string, version = "1.0.0") => ({ [`node_modules/${name}`]: { version } });
const ofDemo = { ...at("sleep"), ...at("yaml") };
const lock = { "": {}, ...published, ...tools, ...ofDemo, ...at("vitest"), ...at("turbo") };

/** Runs the script in a repository with this installation; npm only says how it was called. */
function ensureInstalled(size: string, installed?: object): { said: string; called: string } {
  const root = mkdtempSync(join(tmpdir(), "ensure-installed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const folder of ["scripts", "node_modules", "bin"]) mkdirSync(join(root, folder));
  copyFileSync("scripts/ensure-installed.mjs", join(root, "scripts/ensure-installed.mjs"));
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: lock }));
  if (installed !== undefined) {
    const file = join(root, "node_modules/.package-lock.json");
    writeFileSync(file, JSON.stringify({ packages: installed }));
  }
  const npm = `#!/bin/sh\necho "$@" >> ${join(root, "called")}\n`;
  writeFileSync(join(root, "bin/npm"), npm, { mode: 0o755 });
  const { stderr, status } = spawnSync("node", [join(root, "scripts/ensure-installed.mjs"), size], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${join(root, "bin")}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  expect(status).toBe(0);
  const { stdout: called } = spawnSync("cat", [join(root, "called")], { encoding: "utf8" });
  return { said: stderr, called: called.trim() };
}

describe("what is installed before a command", () => {
  test("is nothing when its packages are there in the versions of the lockfile", () => {
    const nothing = { said: "", called: "" };
    expect(ensureInstalled("demo", ofDemo)).toEqual(nothing);
    expect(ensureInstalled("tests", { ...ofDemo, ...at("vitest") })).toEqual(nothing);
    expect(ensureInstalled("all", lock)).toEqual(nothing);
  });

  test("is what the command needs and no more, with a word about it", () => {
    const { said, called } = ensureInstalled("demo");
    expect(said).toMatch(
      /^node_modules is missing: installing what the demo needs .* 200 MB, once/,
    );
    expect(called).toBe("ci --no-audit --no-fund --omit=dev");
    const tests = ensureInstalled("tests", ofDemo);
    expect(tests.said).toMatch(/^vitest is missing: installing what the tests on Node need/);
    expect(tests.called).toMatch(
      / --include-workspace-root --workspace=apps\/demo --workspace=packages\/one$/,
    );
    const all = ensureInstalled("all", { ...ofDemo, ...at("vitest") });
    expect(all.said).toMatch(/^turbo is missing: installing everything/);
    expect(all.called).toBe("ci --no-audit --no-fund");
  });

  test("is as much as before when a version is not that of the lockfile", () => {
    const { said, called } = ensureInstalled("demo", { ...lock, ...at("yaml", "0.9.0") });
    expect(said).toMatch(
      /^node_modules\/yaml is not what package-lock\.json says: installing every/,
    );
    expect(called).toBe("ci --no-audit --no-fund");
  });
});
