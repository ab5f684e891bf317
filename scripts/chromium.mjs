// Makes sure that there is a browser for the tests: $CHROMIUM_PATH or Debian's Chromium, which it
// installs when this is a Debian machine, the user is root and there is none yet.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const path = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const stdio = ["ignore", "ignore", "inherit"];
  spawnSync("apt-get", ["-qq", ...args], { env, stdio, timeout: 5 * 60_000 });
}

if (!existsSync(path) && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
  console.error("Chromium is missing: installing it with apt-get");
  aptGet("update");
  aptGet("install", "-y", "--no-install-recommends", "chromium", "fonts-dejavu-core");
}
if (!existsSync(path)) {
  console.error(`There is no Chromium at ${path}: install it, or set CHROMIUM_PATH to one`);
  process.exitCode = 1;
}
