/**
 * Removes the declarations in `dist/` of the package in the current folder that no entry point
 * leads to: the compiler writes those of every module, and no program can name what is in the
 * others.
 */
import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { importsOf } from "./checks/imports.ts";
import { entryPointsOf } from "./workspace.ts";

const dist = join(process.cwd(), "dist");
const folder = basename(process.cwd());
process.chdir(join(import.meta.dirname, ".."));

/** The declarations beside a module that is named as in `./base/queue.ts` or `./base/queue.js`. */
function declarationsOf(module: string): string {
  return module.replace(/(?:\.d)?\.[jt]s$/, ".d.ts");
}

const entryPoints = entryPointsOf(folder).map((file) => join(dist, declarationsOf(file)));
const reached = new Set(entryPoints.filter((file) => existsSync(file)));
if (reached.size === 0) throw new Error(`${dist} has no declarations of an entry point`);
for (const file of reached) {
  for (const { name } of importsOf(readFileSync(file, "utf8"))) {
    if (!name.startsWith(".")) continue;
    const next = declarationsOf(join(dirname(file), name));
    if (!existsSync(next)) throw new Error(`${file} imports ${name}, and there is no ${next}`);
    reached.add(next);
  }
}

for (const file of globSync(join(dist, "**/*.d.ts"))) {
  if (reached.has(file)) continue;
  rmSync(file);
  rmSync(`${file}.map`, { force: true });
}
