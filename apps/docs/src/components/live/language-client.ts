import type { Completions, Description, Problem } from "./language-service.ts";
import type { LanguageQuestion } from "./language.worker.ts";

type Answer =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string };

/** Asks the worker with the language service, which all editors of a page share. */
export class LanguageClient {
  static #shared: LanguageClient | undefined;
  readonly #worker = new Worker(new URL("./language.worker.ts", import.meta.url), {
    type: "module",
  });
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #last = 0;

  private constructor() {
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.answer);
    });
  }

  /** The client of the page. Its worker starts when it is first needed. */
  static get shared(): LanguageClient {
    this.#shared ??= new LanguageClient();
    return this.#shared;
  }

  complete(code: string, at: number): Promise<Completions | undefined> {
    return this.#ask(code, { kind: "complete", at });
  }

  describe(code: string, at: number, completion?: string): Promise<Description | undefined> {
    return this.#ask(code, { kind: "describe", at, completion });
  }

  check(code: string): Promise<readonly Problem[]> {
    return this.#ask(code, { kind: "check" });
  }

  #ask<T>(code: string, question: LanguageQuestion): Promise<T> {
    const id = (this.#last += 1);
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ id, code, question });
    return waiting.promise as Promise<T>;
  }
}
