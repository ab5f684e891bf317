import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { delimiter, isAbsolute, join } from "node:path";

/** Extensions of programs on Windows without `PATHEXT`: Go, os/exec, `LookPath`. */
const defaultExtensions = ".com;.exe;.bat;.cmd";

/**
 * Finds a program like Go's `exec.LookPath`, as kubectl does: in the `PATH` of this process, not in
 * that of the plugin's variables. A program in a relative folder of `PATH` is refused.
 *
 * @returns its path, or `undefined` if there is none that can be executed
 */
export async function findProgram(
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
  platform: string = globalThis.process.platform,
): Promise<string | undefined> {
  const isWindows = platform === "win32";
  if (isWindows ? /[\\/:]/.test(command) : command.includes("/")) {
    return findWithExtension(command, environment, isWindows);
  }
  for (const folder of pathOf(environment).split(delimiter)) {
    const found = await findWithExtension(join(folder || ".", command), environment, isWindows);
    if (found !== undefined) return isAbsolute(found) ? found : undefined;
  }
  return undefined;
}

function pathOf(environment: Readonly<Record<string, string | undefined>>): string {
  return environment["PATH"] ?? environment["Path"] ?? "";
}

async function findWithExtension(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  isWindows: boolean,
): Promise<string | undefined> {
  if (!isWindows) return (await isProgram(path)) ? path : undefined;
  const extensions = (environment["PATHEXT"] || defaultExtensions).split(";");
  const candidates = extensions
    .filter((extension) => extension !== "")
    .map((extension) => path + (extension.startsWith(".") ? extension : `.${extension}`));
  for (const candidate of /\.[^.\\/]+$/.test(path) ? [path, ...candidates] : candidates) {
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return false;
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
