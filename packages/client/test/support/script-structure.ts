import { ScriptScanner } from "../../src/structure/script-scanner.ts";
import type { Structure } from "../../src/structure/structure.ts";
import { TextStructure } from "../../src/structure/text-structure.ts";

const scanner = new ScriptScanner();

/** An empty structure of the JavaScript scanner, also where WebAssembly exists. */
export function scriptStructure(limit: number): Structure {
  return new TextStructure(scanner, limit);
}
