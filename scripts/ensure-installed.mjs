// Runs before the commands of package.json: installs what a command needs when that is missing or
// not what the lockfile says, so that each command is enough on a fresh clone.
//
//   node scripts/ensure-installed.mjs demo    what `npm start` needs
//   node scripts/ensure-installed.mjs tests   and what `npm test` needs: the tests on Node
//   node scripts/ensure-installed.mjs         everything: other runtimes, browser, checks, the site
//
// Plain JavaScript and no dependency, because it must run on Node 20 before anything is installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("..", import.meta.url);
const lock = readPackages("package-lock.json");
const isPublished = (workspace) => /^(packages\/|apps\/demo$)/.test(workspace);

// From the smallest to the largest: which dependencies of a workspace each of them holds.
const sizes = [
  {
    name: "demo",
    what: "what the demo needs",
    about: "200 MB",
    args: ["--omit=dev"],
    // The fake server bundles its parser of YAML, which sources import: it belongs to the root.
    needs: (workspace, { dependencies }) =>
      (workspace === "" || isPublished(workspace)) && [dependencies],
  },
  {
    name: "tests",
    what: "what the tests on Node need",
    about: "400 MB",
    args: [
      "--include-workspace-root",
      ...Object.keys(lock)
        .filter(isPublished)
        .filter((path) => !path.includes("node_modules"))
        .map((path) => `--workspace=${path}`),
    ],
    needs: (workspace, { dependencies, devDependencies }) =>
      (workspace === "" || isPublished(workspace)) && [dependencies, devDependencies],
  },
  {
    name: "all",
    what: "everything, with Deno, Bun and the tools of checks and site",
    about: "900 MB",
    args: [],
    needs: (_workspace, { dependencies, devDependencies }) => [dependencies, devDependencies],
  },
];
const name = process.argv[2] ?? "all";
const wanted = sizes.findIndex((each) => each.name === name);
if (wanted === -1) {
  const known = sizes.map((each) => each.name).join(", ");
  console.error(`Expected one of ${known}, got ${JSON.stringify(name)}`);
  process.exit(2);
}

// A registry that stops answering is asked again: what has arrived is in npm's cache, so each
// attempt goes on where the one before stopped.
const attempts = 3;
const limitMs = 5 * 60_000;
const progressMs = 10_000;

const installed = readPackages("node_modules/.package-lock.json");
const reason = whyToInstall();
if (reason !== undefined) {
  // A larger installation that is out of date is not replaced by a smaller one.
  const size = sizes.findLast((each, index) => index === wanted || missing(each) === undefined);
  console.error(`${reason}: installing ${size.what} with "npm ci", about ${size.about}, once`);
  for (let attempt = 1; ; attempt++) {
    const problem = await install(size.args);
    if (problem === undefined) break;
    console.error(`"npm ci" ${problem} (attempt ${attempt} of ${attempts})`);
    if (attempt === attempts) process.exit(1);
  }
}

/** @returns the entries of a lockfile, by path; none without the file */
function readPackages(path) {
  const file = new URL(path, root);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).packages : {};
}

/** @returns why something has to be installed, or `undefined` */
function whyToInstall() {
  // npm writes this file at the end of every install, so an interrupted one does not count.
  if (Object.keys(installed).length === 0) return "node_modules is missing";
  const other = Object.entries(installed).find(
    ([path, { version, link }]) =>
      link !== true && path.includes("node_modules/") && lock[path]?.version !== version,
  );
  if (other !== undefined) return `${other[0]} is not what package-lock.json says`;
  const absent = missing(sizes[wanted]);
  return absent === undefined ? undefined : `${absent} is missing`;
}

/** @returns a dependency of a size that is not installed, or `undefined` */
function missing({ needs }) {
  return Object.entries(lock)
    .filter(([path]) => !path.includes("node_modules/"))
    .flatMap(([workspace, entry]) =>
      (needs(workspace, entry) || [])
        .flatMap((dependencies) => Object.keys(dependencies ?? {}))
        .map((dependency) => [
          `node_modules/${dependency}`,
          `${workspace}/node_modules/${dependency}`,
        ]),
    )
    .find((paths) => paths.every((path) => installed[path] === undefined))?.[0]
    .replace("node_modules/", "");
}

/** Runs `npm ci`. @returns what went wrong, or `undefined` */
function install(args) {
  return new Promise((resolve) => {
    const startMs = Date.now();
    // The answer of npm is shown only when it failed; warnings about other platforms' packages are
    // of no use here.
    const child = spawn("npm", ["ci", "--no-audit", "--no-fund", ...args], {
      cwd: fileURLToPath(root),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    const progress = setInterval(() => {
      console.error(`  still installing after ${Math.round((Date.now() - startMs) / 1000)} s`);
    }, progressMs);
    const limit = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
    }, limitMs);
    const end = (problem) => {
      clearInterval(progress);
      clearTimeout(limit);
      if (problem !== undefined) console.error(output);
      else console.error(`  installed in ${Math.round((Date.now() - startMs) / 1000)} s`);
      resolve(problem);
    };
    child.on("error", (error) => end(`could not be started: ${error.message}`));
    child.on("close", (code) => {
      if (isLate) end(`did not end within ${limitMs / 60_000} minutes`);
      else end(code === 0 ? undefined : `failed with exit code ${code}`);
    });
  });
}
