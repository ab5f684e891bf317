import { ConsolePane } from "./console-pane.ts";
import type { Editor } from "./editor.ts";
import type { RunnerMessage } from "./runner.worker.ts";

/**
 * A program on a page that can be run and changed there. The code is in the page as highlighted
 * text; the editor and the worker with the packages are loaded when they are asked for. Each run
 * has a separate worker, so that Stop ends any program, even an endless loop. A program runs until
 * it has returned and no timer is left, as on Node, or until Stop.
 */
class LiveExample extends HTMLElement {
  #editor: Editor | undefined;
  #worker: Worker | undefined;
  #pane: ConsolePane | undefined;

  connectedCallback(): void {
    this.#button("run").addEventListener("click", () => {
      this.#run();
    });
    this.#button("stop").addEventListener("click", () => {
      this.#end("stopped");
    });
    this.#button("edit").addEventListener("click", () => {
      void this.#edit();
    });
    this.#button("reset").addEventListener("click", () => {
      this.#editor?.replace(this.#source);
    });
    this.dataset["state"] = "ready";
  }

  disconnectedCallback(): void {
    this.#end("ready");
  }

  get #source(): string {
    return this.#part("template.source", HTMLTemplateElement).content.textContent ?? "";
  }

  #part<T extends Element>(selector: string, type: new () => T): T {
    const element = this.querySelector(selector);
    if (!(element instanceof type)) throw new Error(`Couldn't find ${selector} in the example`);
    return element;
  }

  #button(name: string): HTMLButtonElement {
    return this.#part(`button.${name}`, HTMLButtonElement);
  }

  async #edit(): Promise<void> {
    const edit = this.#button("edit");
    edit.disabled = true;
    const { openEditor } = await import("./editor.ts");
    const code = this.#part(".code", HTMLElement);
    code.replaceChildren();
    this.#editor = openEditor(code, this.#source, () => {
      this.#run();
    });
    edit.hidden = true;
    this.#button("reset").hidden = false;
    this.#part(".hint", HTMLElement).hidden = false;
    this.dataset["editing"] = "true";
  }

  #run(): void {
    this.#end("ready");
    const pane = (this.#pane ??= new ConsolePane(this.#part(".output", HTMLElement)));
    pane.clear();
    this.dataset["state"] = "running";
    const worker = new Worker(new URL("./runner.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<RunnerMessage>) => {
      if (this.#worker !== worker) return;
      if (data.kind === "done") this.#end("done");
      else pane.show(data.batch);
    });
    worker.addEventListener("error", (event) => {
      const line = { kind: "error", text: `${event.message}, line ${event.lineno}` } as const;
      pane.show({ first: [line], leftOut: 0, last: [] });
      this.#end("done");
    });
    worker.postMessage(this.#editor?.text() ?? this.#source);
  }

  #end(state: "ready" | "done" | "stopped"): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#pane?.flush();
    this.dataset["state"] = state;
  }
}

customElements.define("live-example", LiveExample);
