import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { Kubectl, printed, type Printed } from "./kubectl.ts";
import type { Tour, TourStep } from "./tours/tour.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Calls a function with a kubectl whose kubeconfig names a separate server. */
async function withServer<Result>(
  path: string,
  options: FakeApiServerOptions,
  run: (kubectl: Kubectl, server: FakeApiServer, folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "kubectl-tour-"));
  const server = new FakeApiServer(options);
  const listener = await listen(server);
  try {
    const kubectl = new Kubectl(path, folder);
    const settings = ["--kubeconfig=kubeconfig"];
    await kubectl.run(["config", "set-cluster", "fake", `--server=${listener.url}`, ...settings]);
    await kubectl.run(["config", "set-context", "fake", "--cluster=fake", ...settings]);
    await kubectl.run(["config", "use-context", "fake", ...settings]);
    return await run(kubectl, server, folder);
  } finally {
    await listener.close();
    await rm(folder, { recursive: true });
  }
}

/** Runs a tour with kubectl 1.`minor` and reports each of its steps. */
export function runTour(path: string, tour: Tour, minor: number): Promise<Counts> {
  return withServer(path, tour.options ?? {}, async (kubectl, server, folder) => {
    tour.prepare?.(server);
    return await runSteps(kubectl, tour, { minor, folder });
  });
}

/** Runs the steps of a tour that kubectl 1.`minor` knows, with its files in a folder. */
export async function runSteps(
  kubectl: Kubectl,
  tour: Pick<Tour, "files" | "steps">,
  { folder, minor }: { readonly minor: number; readonly folder: string },
): Promise<Counts> {
  for (const [name, text] of Object.entries(tour.files)) {
    await writeFile(join(folder, name), text);
  }
  const kept = new Map<string, string>();
  const fill = (text: string): string =>
    text.replaceAll(/\$(\w+)/g, (whole, name: string) => kept.get(name) ?? whole);
  const counts = { passed: 0, failed: 0 };
  for (const step of tour.steps.filter(({ since = 0 }) => minor >= since)) {
    const command = fill(step.command);
    const input = step.input === undefined ? undefined : fill(step.input);
    const result = await kubectl.run(words(command), { input, editor: step.editor });
    if (step.keeps !== undefined) kept.set(step.keeps, result.output.trim());
    const problems = problemsOf(step, result);
    counts[problems.length === 0 ? "passed" : "failed"]++;
    report(command, problems);
  }
  return counts;
}

/** Checks that `get --watch` prints events while it runs. */
export function tourOfWatch(path: string): Promise<Counts> {
  return withServer(path, {}, async (kubectl, server) => {
    const name = "get configmaps -n default --watch";
    const child = kubectl.start(words(name));
    try {
      await server.control.when.watchOpen({ resource: "configmaps" });
      await kubectl.run(["create", "configmap", "seen"]);
      await printed(child, "seen");
      const gone = printed(child, "seen");
      await kubectl.run(["delete", "configmap", "seen"]);
      await gone;
      report(name, []);
      return { passed: 1, failed: 0 };
    } catch (error) {
      report(name, [String(error)]);
      return { passed: 0, failed: 1 };
    } finally {
      child.kill();
    }
  });
}

function report(name: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${name}`);
  for (const problem of problems) console.log(problem.replace(/^/gm, "       "));
}

/** Splits a command line into words; single quotes group words with blanks. */
function words(command: string): readonly string[] {
  return Array.from(
    command.matchAll(/'([^']*)'|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

function problemsOf(step: TourStep, { code, output, errors }: Printed): readonly string[] {
  const problems: string[] = [];
  const failureExpected = step.fails !== undefined || step.differs === true;
  if ((code === 0) === failureExpected || (step.differs === true && code !== 1)) {
    problems.push(`exit code ${code}`);
  }
  for (const pattern of [step.fails ?? [], step.warns ?? []].flat()) {
    if (!pattern.test(errors)) problems.push(`expected ${pattern}`);
  }
  for (const pattern of step.prints ?? []) {
    if (!pattern.test(output)) problems.push(`expected ${pattern}`);
  }
  for (const pattern of step.lacks ?? []) {
    if (pattern.test(output)) problems.push(`expected nothing like ${pattern}`);
  }
  return problems.length === 0 ? [] : [...problems, `printed: ${output}${errors}`.trimEnd()];
}
