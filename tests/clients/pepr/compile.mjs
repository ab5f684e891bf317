// Compiles the program of the page about Pepr. It cannot run here: Pepr builds an image of it.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const program = fileURLToPath(new URL("notes.ts", import.meta.url));
const options = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  noEmit: true,
  skipLibCheck: true,
  strict: true,
  target: ts.ScriptTarget.ES2022,
  types: ["node"],
};
// Under another name, the checks of this repository leave the program alone.
writeFileSync(program, readFileSync(new URL("notes.ts.txt", import.meta.url)));
const problems = ts.getPreEmitDiagnostics(ts.createProgram([program], options));
rmSync(program);
for (const { messageText } of problems) {
  console.log(`FAIL Pepr's compiler: ${ts.flattenDiagnosticMessageText(messageText, " ")}`);
}
if (problems.length === 0) console.log("ok   the program compiles");
