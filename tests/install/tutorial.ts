import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { problemOf } from "./run-program.ts";
import { examplesOf, nextPageOf, type Program } from "./pages.ts";

const folder = "apps/docs/src/content/docs/tutorial";
const first = "definition";
/** The page with the test of the operator, and the last one. */
const [testPage, lastPage] = ["test", "deploy"];

/** Returns the programs of all pages, in the order in which a reader meets them. */
function tutorialPrograms(): readonly Program[] {
  const programs: Program[] = [];
  const seen = new Set<string>();
  for (let name: string | undefined = first; name !== undefined;) {
    if (seen.has(name)) throw new Error(`The tutorial comes back to the page ${name}`);
    seen.add(name);
    const page = join(folder, `${name}.mdx`);
    if (!existsSync(page))
      throw new Error(`The tutorial leads to the page ${name}, which is absent`);
    programs.push(...examplesOf(page));
    name = nextPageOf(page);
  }
  for (const name of [testPage, lastPage]) {
    if (!seen.has(name)) throw new Error(`The tutorial does not lead to the page ${name}`);
  }
  return programs;
}

/**
 * Copies the programs one after the other into the same folder, and runs each where those before it
 * are. The last word of a page is the output that it shows, and that of the page about tests is the
 * passing test of the operator.
 *
 * @returns the problem of the first program that fails
 */
export async function followTutorial(
  cwd: string,
  command: readonly string[],
): Promise<{ readonly programs: number; readonly problem: string | undefined }> {
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const programs = tutorialPrograms();
  for (const [index, { file, output, page }] of programs.entries()) {
    writeFileSync(join(cwd, file.path), file.text);
    const problem = await problemOf([...command, file.path], output, { cwd, env });
    if (problem !== undefined) {
      return { programs: index, problem: `${page}, ${file.path}: ${problem}` };
    }
  }
  return { programs: programs.length, problem: undefined };
}
