import { homedir } from "node:os";
import { join } from "node:path";

/** A folder for what takes long to make, outside of the tree and kept from run to run. */
export function cacheFolder(name: string): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "listwatch", name);
}
