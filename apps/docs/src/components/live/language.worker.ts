import { entries, loaders, loadLibrary, needs } from "virtual:declarations";
import { LanguageService } from "./language-service.ts";

/** A question of the editor about the code in it. */
export type LanguageQuestion =
  | { readonly kind: "complete"; readonly at: number }
  | { readonly kind: "describe"; readonly at: number; readonly completion?: string | undefined }
  | { readonly kind: "check" };

interface Asked {
  readonly id: number;
  readonly code: string;
  readonly question: LanguageQuestion;
}

const files = new Map<string, string>();
const service = new LanguageService(files, entries);
const loading = new Map<string, Promise<void>>();

/** Loads a part of the declarations once. */
function load(part: string, importPart: typeof loadLibrary | undefined): Promise<void> {
  const known = loading.get(part);
  if (known !== undefined || importPart === undefined) return known ?? Promise.resolve();
  const loaded = loadPart(importPart);
  loading.set(part, loaded);
  return loaded;
}

async function loadPart(importPart: typeof loadLibrary): Promise<void> {
  const { default: texts } = await importPart();
  for (const [path, text] of Object.entries(texts)) files.set(path, text);
}

/** Loads the declarations that a program needs. */
async function loadFor(code: string): Promise<void> {
  const parts = LanguageService.modulesOf(code).flatMap((module) => needs[module] ?? []);
  const loads = parts.map((part) => load(part, loaders[part]));
  await Promise.all([load("library", loadLibrary), ...loads]);
}

function answer(question: LanguageQuestion): unknown {
  if (question.kind === "check") return service.check();
  if (question.kind === "complete") return service.complete(question.at);
  return service.describe(question.at, question.completion);
}

addEventListener("message", ({ data }: MessageEvent<Asked>) => {
  void (async () => {
    try {
      await loadFor(data.code);
      service.code = data.code;
      postMessage({ id: data.id, answer: answer(data.question) });
    } catch (error) {
      postMessage({ id: data.id, error: String(error) });
    }
  })();
});
