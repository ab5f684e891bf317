import { homedir } from "node:os";
import { join } from "node:path";

/** A folder for slow builds, outside of the tree and kept between runs. */
export function cacheFolder(name: string): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "listwatch", name);
}
