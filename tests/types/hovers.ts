import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";

/** An editor's hover text for a name. */
export interface Hover {
  readonly expression: string;
  readonly text: string;
}

/** The used part of a compiler's language service; 7.0 has none for programs. */
interface Compiler {
  readonly ModuleKind: { readonly NodeNext: number };
  readonly ScriptTarget: { readonly ES2023: number };
  readonly ScriptSnapshot: { fromString(text: string): unknown };
  readonly sys: object;
  getDefaultLibFilePath(options: object): string;
  createLanguageService(host: object): {
    getSemanticDiagnostics(file: string): readonly { readonly messageText: unknown }[];
    getQuickInfoAtPosition(
      file: string,
      position: number,
    ): { readonly displayParts?: readonly { readonly text: string }[] } | undefined;
  };
}

/** A typical program; the hovers are those over its declared names. */
const program = `
import { createClient, createConnection } from "@listwatch/client";
import { mutableCopy } from "@listwatch/core-fifo";
import { deployments } from "@listwatch/resources/apps/v1";
import { pods } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";

const connection = createConnection({ server: "http://127.0.0.1:8001" });
const podClient = createClient(connection).resource(pods);
const pod = await podClient.get("shop/web");
const { items } = await podClient.list();
const phase = pod.status.phase;
const factory = new SharedInformerFactory({ connection });
const informer = factory.informer(pods, { indexers: { node: (one) => one.spec.nodeName } });
const cached = informer.lister.get("shop/web");
const onNode = informer.store.byIndex("node", "worker-1");
const copy = mutableCopy(cached);
const lister = factory.lister(deployments);
const scale = await createClient(connection).resource(deployments).subresource("scale").get("a/b");
export { copy, items, lister, onNode, phase, scale };
`;
const expressions = ["podClient", "pod", "items", "phase", "informer", "cached", "onNode", "copy"];
const all = [...expressions, "lister", "scale"];

/** Writes the program to a file; returns the hovers over its names. */
export function hoversOf(path: string): readonly Hover[] {
  const folder = resolve("tests/types/typescript-5.9/node_modules/typescript");
  const compiler = createRequire(import.meta.url)(folder) as Compiler;
  const file = resolve(path);
  writeFileSync(file, program);
  const options = {
    strict: true,
    module: compiler.ModuleKind.NodeNext,
    target: compiler.ScriptTarget.ES2023,
    types: [],
  };
  const service = compiler.createLanguageService({
    ...compiler.sys,
    useCaseSensitiveFileNames: () => true,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name: string) => snapshotOf(compiler, name),
    getCurrentDirectory: () => dirname(file),
    getDefaultLibFileName: (given: object) => compiler.getDefaultLibFilePath(given),
  });
  for (const { messageText } of service.getSemanticDiagnostics(file)) {
    throw new Error(`The program of the hovers does not compile: ${JSON.stringify(messageText)}`);
  }
  return all.map((expression) => {
    const position = program.search(new RegExp(`\\b(?<=const \\{? ?)${expression}\\b`));
    const parts = service.getQuickInfoAtPosition(file, position)?.displayParts ?? [];
    if (parts.length === 0) throw new Error(`No hover over ${expression}`);
    return { expression, text: parts.map(({ text }) => text).join("") };
  });
}

function snapshotOf(compiler: Compiler, name: string): unknown {
  try {
    return compiler.ScriptSnapshot.fromString(readFileSync(name, "utf8"));
  } catch {
    return undefined;
  }
}
