// Runs before `npm start` and `npm test`: installs the dependencies when they are missing or older
// than the lockfile, so that each command is enough on a fresh clone. Plain JavaScript and no
// dependency, because it must run on Node 20 before anything is installed.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";

const root = new URL("..", import.meta.url);
// npm writes this file at the end of every install, so an interrupted one does not count.
const installed = new URL("node_modules/.package-lock.json", root);
const lockfile = new URL("package-lock.json", root);

const reason = !existsSync(installed)
  ? "node_modules is missing"
  : statSync(installed).mtimeMs < statSync(lockfile).mtimeMs
    ? "node_modules is older than package-lock.json"
    : undefined;

if (reason !== undefined) {
  console.error(`${reason}: running "npm ci" once`);
  // A registry that stops answering is asked again: what has arrived is in npm's cache, so each
  // attempt goes on where the one before stopped.
  const attempts = 3;
  const limitMs = 5 * 60_000;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    // The answer of npm is shown only when it failed; warnings about other platforms' packages are
    // of no use here.
    const { error, status, stdout, stderr } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: limitMs,
      killSignal: "SIGKILL",
    });
    if (status === 0) break;
    console.error((stdout ?? "") + (stderr ?? ""));
    const why =
      error === undefined
        ? `failed with exit code ${status}`
        : error.code === "ETIMEDOUT"
          ? `did not end within ${limitMs / 60_000} minutes`
          : `could not be started: ${error.message}`;
    console.error(`"npm ci" ${why} (attempt ${attempt} of ${attempts})`);
    if (attempt === attempts) process.exit(1);
  }
}
