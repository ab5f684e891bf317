import type { Editor } from "./editor.ts";
import type { RunnerMessage } from "./runner.worker.ts";

// More lines than this say nothing more, and an endless loop that prints would fill the page's
// memory.
const maxLines = 500;

/**
 * A program on a page that can be run and changed there. The code is in the page as highlighted
 * text; the editor and the worker with the packages are loaded when they are asked for. Each run
 * has a worker of its own, so that Stop ends any program, an endless loop too.
 */
class LiveExample extends HTMLElement {
  #editor: Editor | undefined;
  #worker: Worker | undefined;
  #lines = 0;

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
    this.dataset["editing"] = "true";
  }

  #run(): void {
    this.#end("ready");
    this.#lines = 0;
    this.#part(".output", HTMLElement).replaceChildren();
    this.dataset["state"] = "running";
    const worker = new Worker(new URL("./runner.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<RunnerMessage>) => {
      if (this.#worker !== worker) return;
      if (data.kind === "done") this.#end("done");
      else this.#print(data.kind, data.text);
    });
    worker.addEventListener("error", (event) => {
      this.#print("error", event.message);
      this.#end("done");
    });
    worker.postMessage(this.#editor?.text() ?? this.#source);
  }

  #print(kind: string, text: string): void {
    if (this.#lines++ === maxLines) this.#append("warn", "… more lines are not shown");
    if (this.#lines <= maxLines) this.#append(kind, text);
  }

  #append(kind: string, text: string): void {
    const line = document.createElement("span");
    line.className = kind;
    line.textContent = `${text}\n`;
    this.#part(".output", HTMLElement).append(line);
  }

  #end(state: "ready" | "done" | "stopped"): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.dataset["state"] = state;
  }
}

customElements.define("live-example", LiveExample);
