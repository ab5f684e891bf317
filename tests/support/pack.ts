import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

interface Packed {
  readonly name: string;
  readonly filename: string;
  /** Bytes of the tarball. */
  readonly size: number;
}

/** A packed package. */
export interface Tarball {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** Packs the package of a folder; returns the path of the tarball. */
export function packInto(destination: string, path: string): string {
  const [tarball] = packAllInto(destination, [path]).values();
  return tarball!.path;
}

/** Packs the packages of folders, which takes npm hardly longer than one; returns them by name. */
export function packAllInto(
  destination: string,
  paths: readonly string[],
): ReadonlyMap<string, Tarball> {
  const folders = paths.map((path) => resolve(path));
  const args = ["pack", ...folders, "--json", "--ignore-scripts"];
  const options = { encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const output = execFileSync("npm", [...args, "--pack-destination", destination], options);
  const parsed = JSON.parse(output) as readonly Packed[] | Readonly<Record<string, Packed>>;
  return new Map(
    Object.values(parsed).map(({ filename, name, size }) => [
      name,
      { path: join(destination, filename), size },
    ]),
  );
}
