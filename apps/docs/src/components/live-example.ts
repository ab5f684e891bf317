import { ConsolePane } from "./console-pane.ts";
import type { Editor } from "./editor.ts";
import type { ServerPane } from "./live/server-pane.ts";
import type { ServerState } from "./live/server-observer.ts";
import { ShownProgram } from "./live/shown-program.ts";
import type { RunnerMessage } from "./runner.worker.ts";

const notes = {
  reader: "This is your changed version. Reset shows the original.",
  link:
    "This program came with the link; read it before you run it. It runs in a worker without " +
    "network and storage.",
  damaged: "The program of the link cannot be read. This is the original program.",
  foreign: "The link names an example that is not on this page. This is the original program.",
} as const;

/**
 * A program on a page that can be run and changed there. The code is in the page as highlighted
 * text; the editor and the worker with the packages are loaded when they are asked for. Each run
 * has a separate worker, so that Stop ends any program, even an endless loop. A program runs until
 * it has returned and no timer is left, as on Node, or until Stop.
 */
class LiveExample extends HTMLElement {
  #editor: Editor | undefined;
  #worker: Worker | undefined;
  #console: ConsolePane | undefined;
  #servers: ServerPane | undefined;
  #program: ShownProgram | undefined;
  #highlighted: DocumentFragment | undefined;
  #disconnected = new AbortController();

  connectedCallback(): void {
    this.#disconnected = new AbortController();
    this.#program ??= this.#readProgram();
    const presses: Readonly<Record<string, () => void>> = {
      run: () => this.#run(),
      stop: () => this.#end("stopped"),
      edit: () => void this.#edit(),
      reset: () => this.#reset(),
      share: () => void this.#share(),
    };
    const { signal } = this.#disconnected;
    for (const [name, press] of Object.entries(presses)) {
      this.#button(name).addEventListener("click", press, { signal });
    }
    document.addEventListener("packages", () => void this.#switchPackages(), { signal });
    this.dataset["state"] = "ready";
    if (this.#program.origin !== undefined) void this.#switchPackages();
  }

  disconnectedCallback(): void {
    this.#disconnected.abort();
    this.#end("ready");
  }

  /** Shows the program of a fragment, or why it cannot; it runs only after a press on Run. */
  async receive(fragment: string): Promise<void> {
    this.scrollIntoView();
    const { exampleOf, readProgram } = await import("./live/program-link.ts");
    if (exampleOf(fragment) !== this.dataset["name"]) {
      this.#note(notes.foreign);
      return;
    }
    const code = await readProgram(fragment).catch(() => undefined);
    if (code === undefined) {
      this.#note(notes.damaged);
      return;
    }
    this.#program?.receive(code);
    this.#show();
    this.#editor?.replace(code);
  }

  #readProgram(): ShownProgram {
    const [first = "", second = first] = [...this.querySelectorAll("template")].map(
      ({ content }) => content.textContent ?? "",
    );
    return new ShownProgram(this.dataset["name"] ?? "", { listwatch: first, layers: second });
  }

  #part<T extends Element>(selector: string, type: new () => T): T {
    const element = this.querySelector(selector);
    if (!(element instanceof type)) throw new Error(`Couldn't find ${selector} in the example`);
    return element;
  }

  #button(name: string): HTMLButtonElement {
    return this.#part(`button.${name}`, HTMLButtonElement);
  }

  get #code(): string {
    return this.#program?.code ?? "";
  }

  /** Shows the current program, and marks a changed one. */
  #show(): void {
    const origin = this.#program?.origin;
    this.#button("reset").hidden = origin === undefined;
    this.#note(origin === undefined ? undefined : notes[origin]);
    if (this.#editor !== undefined) return;
    const shown = this.#part(".code", HTMLElement);
    if (this.#highlighted === undefined) {
      this.#highlighted = document.createDocumentFragment();
      this.#highlighted.append(...shown.childNodes);
    }
    if (origin === undefined) {
      shown.replaceChildren(...this.#highlighted.childNodes);
      this.#highlighted = undefined;
      return;
    }
    const text = document.createElement("pre");
    text.tabIndex = 0;
    text.ariaLabel = "Changed program";
    text.textContent = this.#code;
    shown.replaceChildren(text);
  }

  #note(text: string | undefined): void {
    const note = this.#part(".note", HTMLElement);
    note.hidden = text === undefined;
    note.textContent = text ?? "";
  }

  async #edit(): Promise<void> {
    const edit = this.#button("edit");
    edit.disabled = true;
    const { openEditor } = await import("./editor.ts");
    const code = this.#part(".code", HTMLElement);
    code.replaceChildren();
    this.#editor = openEditor({
      parent: code,
      code: this.#code,
      problems: this.#part(".problems", HTMLElement),
      run: () => this.#run(),
      changed: (text) => {
        this.#program?.change(text);
        this.#show();
      },
    });
    edit.hidden = true;
    this.#part(".hint", HTMLElement).hidden = false;
    this.dataset["editing"] = "true";
  }

  async #switchPackages(): Promise<void> {
    await this.#program?.switchPackages();
    this.#show();
    this.#editor?.replace(this.#code);
  }

  #reset(): void {
    this.#program?.reset();
    if (hasProgram()) history.replaceState(null, "", location.pathname);
    this.#show();
    this.#editor?.replace(this.#code);
  }

  async #share(): Promise<void> {
    const { programFragment } = await import("./live/program-link.ts");
    const example = this.dataset["name"] ?? "";
    const url = new URL(location.href);
    url.hash = await programFragment({ example, code: this.#code });
    const shared = await navigator.clipboard.writeText(url.href).then(
      () => "The link to this program is in the clipboard.",
      () => `Couldn't copy the link to this program: ${url.href}`,
    );
    this.#note(shared);
  }

  #run(): void {
    this.#end("ready");
    const pane = (this.#console ??= new ConsolePane(this.#part(".output", HTMLElement)));
    pane.clear();
    this.#servers?.clear();
    this.#part(".label", HTMLElement).textContent = "Output";
    this.#part(".output", HTMLElement).ariaLabel = "Output";
    this.dataset["state"] = "running";
    const worker = new Worker(new URL("./runner.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<RunnerMessage>) => {
      if (this.#worker !== worker) return;
      if (data.kind === "done") this.#end("done");
      else if (data.kind === "servers") void this.#showServers(data.servers, worker);
      else pane.show(data.batch);
    });
    worker.addEventListener("error", (event) => {
      const line = { kind: "error", text: `${event.message}, line ${event.lineno}` } as const;
      pane.show({ first: [line], leftOut: 0, last: [] });
      this.#end("done");
    });
    worker.postMessage(this.#code);
  }

  async #showServers(servers: readonly ServerState[], worker: Worker): Promise<void> {
    const { ServerPane } = await import("./live/server-pane.ts");
    this.#servers ??= new ServerPane(this.#part(".servers", HTMLElement));
    // Its state arrives with the last message, before the worker ends; another run has its own.
    if (this.#worker === undefined || this.#worker === worker) this.#servers.show(servers);
  }

  #end(state: "ready" | "done" | "stopped"): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#console?.flush();
    this.dataset["state"] = state;
  }
}

customElements.define("live-example", LiveExample);

/** Whether the address contains a program. */
function hasProgram(): boolean {
  return location.hash.startsWith("#program=");
}

/** Gives the program in the address to its example, or to the first one, which says so. */
async function receiveProgram(): Promise<void> {
  if (!hasProgram()) return;
  const { exampleOf } = await import("./live/program-link.ts");
  const examples = [...document.querySelectorAll<LiveExample>("live-example")];
  const name = exampleOf(location.hash);
  const example = examples.find(({ dataset }) => dataset["name"] === name) ?? examples[0];
  await example?.receive(location.hash);
}

void receiveProgram();
addEventListener("hashchange", () => void receiveProgram());
