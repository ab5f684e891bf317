// Runs a command that needs a browser: `node scripts/with-chromium.mjs COMMAND...`. Uses
// $CHROMIUM_PATH or Debian's Chromium, which it installs when this is a Debian machine, the user is
// root and there is none yet.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const path = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const run = (command, args, options) =>
  spawnSync(command, args, { stdio: "inherit", ...options }).status ?? 1;

if (!existsSync(path) && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.error("Chromium is missing: installing it with apt-get");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const quiet = { env, stdio: ["ignore", "ignore", "inherit"], timeout: 5 * 60_000 };
  run("apt-get", ["update", "-qq"], quiet);
  run(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", "chromium", "fonts-dejavu-core"],
    quiet,
  );
}
if (!existsSync(path)) {
  console.error(`There is no Chromium at ${path}: install it, or set CHROMIUM_PATH to one`);
  process.exit(1);
}
const [command, ...args] = process.argv.slice(2);
process.exit(run(command, args, { env: { ...process.env, CHROMIUM_PATH: path } }));
