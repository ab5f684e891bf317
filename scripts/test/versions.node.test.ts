import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

const lock = JSON.parse(readFileSync("package-lock.json", "utf8")) as { packages: object };
const folders = Object.keys(lock.packages).filter(
  (path) => path !== "" && !path.includes("node_modules/"),
);

function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
}

const isPrivate = (folder: string): boolean => readManifest(".", folder).private === true;
const published = folders.filter((folder) => !isPrivate(folder));

/** Copies the manifests of the workspace, with one changeset, and makes versions of it. */
function release(changeset: string): string {
  // Outside of the repository: changesets look for the root of a workspace in all folders above.
  const root = mkdtempSync(join(tmpdir(), "versions-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const files = ["", ...folders].map((folder) => join(folder, "package.json"));
  files.push("package-lock.json", ".changeset/config.json", ".changeset/changelog.config.mjs");
  for (const file of files) cpSync(file, join(root, file));
  symlinkSync(resolve("node_modules"), join(root, "node_modules"));
  writeFileSync(join(root, ".changeset/one.md"), changeset);
  const cli = resolve("node_modules/@changesets/cli/bin.js");
  const { status, stderr } = spawnSync("node", [cli, "version"], { cwd: root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return root;
}

describe("a patch of one package", () => {
  const changeset = '---\n"@listwatch/workqueue": patch\n---\n\nWork is done.\n';

  test("gives all published packages the same new version, the umbrella included", () => {
    const root = release(changeset);
    const versions = published.map((folder) => readManifest(root, folder).version);
    const [major, minor, patch] = readManifest(".", "packages/listwatch").version.split(".");
    const next = `${major}.${minor}.${Number(patch) + 1}`;
    expect(new Set(versions)).toEqual(new Set([next]));
    expect(published).toContain("packages/listwatch");
    const changelogOf = (folder: string): string =>
      readFileSync(join(root, folder, "CHANGELOG.md"), "utf8");
    expect(changelogOf("packages/workqueue")).toContain(
      `## ${next}\n\n### Patch Changes\n\n- Work`,
    );
    expect(changelogOf("packages/listwatch")).toContain(`## ${next}\n\nNo changes in this release`);
  });

  test("changes no private workspace, and writes no changelog for one", () => {
    const root = release(changeset);
    for (const folder of folders.filter(isPrivate)) {
      const file = join(folder, "package.json");
      expect(readFileSync(join(root, file), "utf8")).toBe(readFileSync(file, "utf8"));
      expect([folder, existsSync(join(root, folder, "CHANGELOG.md"))]).toEqual([folder, false]);
    }
  });
});

test("the published packages have one version", () => {
  const versions = published.map((folder) => readManifest(".", folder).version);
  expect(new Set(versions).size).toBe(1);
});

test("a package has one changeset, which is of no other package", () => {
  const packagesOf = (file: string): string[] => {
    const [, header = ""] = readFileSync(join(".changeset", file), "utf8").split("---\n");
    return [...header.matchAll(/"(.+)": \w+/g)].map(([, name]) => name!);
  };
  const files = readdirSync(".changeset").filter((file) => file.endsWith(".md"));
  const packages = files.map(packagesOf);
  expect(packages.filter((names) => names.length !== 1)).toEqual([]);
  expect(packages.flat()).toEqual([...new Set(packages.flat())]);
});
