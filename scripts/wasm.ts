/**
 * Assembles the WebAssembly module of the client's scanner from its text. With `--check`, fails
 * when the module is not what its text says.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { scannerModule } from "./checks/scanner-module.ts";

const source = "packages/client/src/structure/scan.wat";
const target = "packages/client/src/structure/scan-module.ts";

const text = await scannerModule(readFileSync(source, "utf8"));
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error(`${target} is not what ${source} says: run npm run gen -- wasm`);
  process.exitCode = 1;
}
