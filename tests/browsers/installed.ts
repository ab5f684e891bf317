import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Paths of the installed browsers. */
export interface InstalledBrowsers {
  readonly chromium: string | undefined;
  readonly firefox: string | undefined;
  /** Path of WebKit's driver. */
  readonly webKit: string | undefined;
}

const chromiumPath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
const firefoxPaths = ["/usr/bin/firefox", "/usr/bin/firefox-esr"];
const webKitPath = "/usr/bin/WebKitWebDriver";
const displayPath = "/usr/bin/Xvfb";
const packages = ["firefox-esr", "webkit2gtk-driver", "xvfb", "fonts-dejavu-core"];

export function installed(): InstalledBrowsers {
  const hasWebKit = existsSync(webKitPath) && existsSync(displayPath);
  return {
    chromium: existsSync(chromiumPath) ? chromiumPath : undefined,
    firefox: firefoxPaths.find((path) => existsSync(path)),
    webKit: hasWebKit ? webKitPath : undefined,
  };
}

/** Installs missing browsers, if this is Debian and the user is root. */
export function install(): InstalledBrowsers {
  const { firefox, webKit } = installed();
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if ((firefox === undefined || webKit === undefined) && canInstall) {
    console.log("Firefox or WebKit is missing: installing them with apt-get");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const aptGet = (...args: readonly string[]): void =>
      void spawnSync("apt-get", ["-qq", ...args], { env, stdio: ["ignore", "ignore", "inherit"] });
    aptGet("update");
    aptGet("install", "-y", "--no-install-recommends", ...packages);
  }
  return installed();
}
