// Installs listwatch, as it would be published, and the npm packages among the peers, each in an
// empty folder, and writes their sizes to the file whose figures the site shows:
//
//   npm run bench:installs
import { execFileSync } from "node:child_process";
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
// @boundaries-ignore the file whose figures the site shows
import { writeFigures } from "../../scripts/figures/file.ts";
// @boundaries-ignore what is published is known in one place
import { publishedPackages } from "../../scripts/workspace.ts";
// @boundaries-ignore the packages as the smoke test installs them
import { packInto } from "../../tests/support/pack.ts";

const others = { "client-node": "@kubernetes/client-node@2.0.1", Pepr: "pepr@1.1.4" };
const work = mkdtempSync(join(tmpdir(), "listwatch-installs-"));

/** Installs packages without their scripts. Returns the bytes of all files, in MB. */
function installedMb(name: string, manifest: object): number {
  const cwd = mkdtempSync(join(work, `${name}-`));
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, ...manifest }));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  execFileSync("npm", ["install", ...quiet], { cwd, stdio: ["ignore", "ignore", "inherit"] });
  const folder = join(cwd, "node_modules");
  const bytes = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((file) => lstatSync(join(folder, file)))
    .filter((stats) => stats.isFile())
    .reduce((sum, { size }) => sum + size, 0);
  const mb = Number((bytes / 1e6).toFixed(1));
  console.log(`${name}: ${mb} MB`);
  return mb;
}

/** Tarballs of all packages; none of them is on a registry yet. */
function ownManifest(): object {
  const overrides = Object.fromEntries(
    publishedPackages().map(({ manifest, path }) => [
      manifest.name,
      `file:${packInto(work, path)}`,
    ]),
  );
  return { dependencies: { listwatch: overrides["listwatch"] }, overrides };
}

try {
  const installedMbs = { listwatch: installedMb("listwatch", ownManifest()) };
  for (const [name, spec] of Object.entries(others)) {
    const at = spec.lastIndexOf("@");
    const dependencies = { [spec.slice(0, at)]: spec.slice(at + 1) };
    Object.assign(installedMbs, { [name]: installedMb(name, { dependencies }) });
  }
  const date = new Date().toISOString().slice(0, 10);
  writeFigures({
    installs: { command: "npm run bench:installs", date, packages: others, mb: installedMbs },
  });
} finally {
  rmSync(work, { recursive: true });
}
