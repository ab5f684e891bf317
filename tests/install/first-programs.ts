/**
 * Copies the first program of each page of the site into an empty folder and runs it on Node. Then
 * it follows the tutorial: the programs of its pages, in their order, in one folder. The folder has
 * the built package `listwatch` and client-node. The cluster of the kubeconfig, of `kubectl proxy`
 * and of a page's own origin is a fake API server with some objects.
 *
 * ```
 * npm run check -- programs [PART OF A PAGE'S PATH...]
 * ```
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { listen } from "listwatch/fake-apiserver/node";
import { firstProgramOf, sitePages, type Program } from "./pages.ts";
import { kubeconfigFor, objects, problemOf } from "./run-program.ts";
import { followTutorial } from "./tutorial.ts";

const node = resolve("node_modules/.bin/node");
const installed = { listwatch: "packages/listwatch", "@kubernetes/client-node": undefined };

/** The folder of a reader who has installed the packages. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "listwatch-program-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [name, path = `node_modules/${name}`] of Object.entries(installed)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(resolve(path), link);
  }
  return folder;
}

async function tryOut({ file, isForBrowser, output }: Program): Promise<string | undefined> {
  const server = new FakeApiServer({ objects });
  // A page reaches the cluster below its own origin, through a proxy.
  const proxy = (request: Request): Promise<Response> =>
    server.fetch(new Request(request.url.replace("/k8s/", "/"), request));
  const listener = await listen({ fetch: proxy }, { port: 0 });
  const cwd = emptyFolder();
  const kubeconfig = join(cwd, "kubeconfig");
  writeFileSync(kubeconfig, kubeconfigFor(listener.url));
  writeFileSync(join(cwd, file.path), file.text.replace("http://127.0.0.1:8001", listener.url));
  const origin = JSON.stringify({ origin: listener.url });
  const page = [`--import=data:text/javascript,globalThis.location=${origin}`];
  const env = { ...process.env, KUBECONFIG: kubeconfig, NO_COLOR: "1", FORCE_COLOR: undefined };
  try {
    // A page shows what it watches; this one prints nothing.
    const isDone = isForBrowser ? server.control.when.watchOpen() : undefined;
    const command = [node, ...(isForBrowser ? page : []), file.path];
    return await problemOf(command, output, { cwd, env }, isDone);
  } finally {
    await listener.close();
    rmSync(cwd, { recursive: true });
  }
}

const wanted = process.argv.slice(2);
const pages = sitePages().filter(
  (page) => wanted.length === 0 || wanted.some((part) => page.includes(part)),
);
const programs = pages.flatMap((page) => firstProgramOf(page) ?? []);
console.log(`${programs.length} of ${pages.length} pages have a program`);
let passed = 0;
let failed = 0;

async function tryNext(): Promise<void> {
  for (let program = programs.shift(); program !== undefined; program = programs.shift()) {
    const problem = await tryOut(program);
    if (problem === undefined) passed++;
    else failed++;
    console.log(
      problem === undefined ? `ok     ${program.page}` : `FAILED ${program.page}: ${problem}`,
    );
  }
}

async function tryTutorial(): Promise<void> {
  const cwd = emptyFolder();
  try {
    const { problem, programs: done } = await followTutorial(cwd, [node]);
    if (problem === undefined) passed++;
    else failed++;
    const end = problem === undefined ? `${done} programs in one folder` : problem;
    console.log(`${problem === undefined ? "ok    " : "FAILED"} the tutorial: ${end}`);
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

await Promise.all([tryNext(), tryNext()]);
if (pages.some((page) => page.includes("/tutorial/"))) await tryTutorial();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
