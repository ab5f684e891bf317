import { execFileSync } from "node:child_process";
import { join } from "node:path";

export function packInto(destination: string, path: string): string {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", destination];
  const output = execFileSync("npm", args, { cwd: path, encoding: "utf8" });
  const parsed = JSON.parse(output) as
    | readonly { readonly filename: string }[]
    | Readonly<Record<string, { readonly filename: string }>>;
  return join(destination, Object.values(parsed)[0]!.filename);
}
