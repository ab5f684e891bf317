import { MovingDots } from "./moving-dots.ts";
import type { PictureMessage, PictureOrder, PipelineState } from "./picture.worker.ts";

const faultNames = ["break", "compact", "slow", "many"] as const;
const keptLines = 3;

/**
 * The picture of an informer at work. The worker with the informer starts when the picture is
 * visible and the page is idle, and pauses while it is hidden.
 */
class LivePicture extends HTMLElement {
  #worker: Worker | undefined;
  #isVisible = false;
  #isFrameRequested = false;
  readonly #dots = new Map<SVGSVGElement, MovingDots>();
  readonly #calm = matchMedia("(prefers-reduced-motion: reduce)");
  readonly #observer = new IntersectionObserver(([entry]) => {
    this.#isVisible = entry?.isIntersecting === true;
    this.#adapt();
  });
  readonly #onVisibilityChange = (): void => this.#adapt();

  connectedCallback(): void {
    for (const name of faultNames) {
      this.#button(name).addEventListener("click", () => this.#press(name));
    }
    this.#observer.observe(this);
    document.addEventListener("visibilitychange", this.#onVisibilityChange);
  }

  disconnectedCallback(): void {
    this.#observer.disconnect();
    document.removeEventListener("visibilitychange", this.#onVisibilityChange);
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Starts, pauses or resumes the worker. */
  #adapt(): void {
    const isShown = this.#isVisible && document.visibilityState === "visible";
    if (this.#worker !== undefined) this.#order(isShown ? "resume" : "pause");
    else if (isShown) whenIdle(() => this.#start());
  }

  #start(): void {
    if (this.#worker !== undefined || !this.isConnected) return;
    const worker = new Worker(new URL("./picture.worker.ts", import.meta.url), { type: "module" });
    this.#worker = worker;
    worker.addEventListener("message", ({ data }: MessageEvent<PictureMessage>) => {
      if (data.kind === "note") return this.#note(data.tone, data.text);
      this.#show(data);
      requestAnimationFrame(() => this.#order("shown"));
    });
    worker.addEventListener("error", ({ message }) => {
      this.#note("failure", `The program of the picture has failed: ${message}`);
    });
    this.#adapt();
  }

  #order(order: PictureOrder): void {
    this.#worker?.postMessage(order);
  }

  #press(name: (typeof faultNames)[number]): void {
    // A disabled button would lose the focus.
    if (this.dataset["busy"] !== undefined) return;
    this.#setBusy(name);
    this.#start();
    this.#order(name);
  }

  #setBusy(name: string | undefined): void {
    if (name === undefined) delete this.dataset["busy"];
    else this.dataset["busy"] = name;
    for (const other of faultNames) {
      this.#button(other).setAttribute("aria-disabled", String(name !== undefined));
    }
  }

  #note(tone: string, text: string): void {
    const line = this.querySelector<HTMLElement>(".proof");
    if (line === null) return;
    if (line.dataset["tone"] === "proof") this.#keepEarlier(line.textContent);
    line.dataset["tone"] = tone;
    line.textContent = text;
    if (tone === "plain") return;
    this.#setBusy(undefined);
    this.dataset["state"] = "live";
  }

  /** Shows the last lines below the newest one. */
  #keepEarlier(text: string): void {
    const list = this.querySelector(".earlier");
    const item = document.createElement("li");
    item.textContent = text;
    list?.replaceChildren(item, ...[...list.children].slice(0, keptLines - 1));
  }

  #show(state: PipelineState): void {
    this.dataset["connected"] = String(state.isConnected);
    for (const svg of this.querySelectorAll("svg.drawing")) this.#fill(svg, state);
    this.#write("drawn-of", state.drawnOf === 1 ? "1 change" : `${state.drawnOf} changes`);
    const many = this.#button("many").querySelector(".verb");
    if (many !== null) many.textContent = state.server.many === 0 ? "Add" : "Remove";
    const svg = this.#visibleDrawing();
    if (svg === undefined || this.#calm.matches) return;
    const dots = this.#dots.get(svg) ?? new MovingDots(svg);
    this.#dots.set(svg, dots);
    dots.add(state.moves);
    this.#requestFrame();
  }

  #requestFrame(): void {
    if (this.#isFrameRequested) return;
    this.#isFrameRequested = true;
    requestAnimationFrame((nowMs) => this.#draw(nowMs));
  }

  #fill(svg: Element, { cache, connection, handlers, queued, server }: PipelineState): void {
    for (const [side, pods] of Object.entries({ server, cache })) {
      svg.querySelectorAll<SVGElement>(`.pod[data-side="${side}"]`).forEach((square, place) => {
        const phase = pods.phases[place];
        if (square.dataset["phase"] !== phase) square.dataset["phase"] = phase;
      });
      const squares = svg.querySelectorAll<SVGElement>(`.many[data-side="${side}"]`);
      const full = (pods.many / 10_000) * squares.length;
      squares.forEach((square, index) => square.classList.toggle("full", index < full));
      this.#write(`${side}-count`, `${pods.count.toLocaleString("en")} pods`);
      this.#write(`${side}-version`, `version ${pods.version}`);
    }
    this.#write("connection", connection);
    this.#write("queue", queued.toLocaleString("en"));
    fillSlots(svg, "queue", queued);
    handlers.forEach(({ handled, waiting }, index) => {
      const text = waiting === 0 ? "called" : `${waiting.toLocaleString("en")} waiting ·`;
      this.#write(`handler-${index}`, `${text} ${handled.toLocaleString("en")}`);
      fillSlots(svg, `handler-${index}`, waiting);
    });
  }

  #write(figure: string, text: string): void {
    for (const element of this.querySelectorAll(`[data-figure="${figure}"]`)) {
      if (element.textContent !== text) element.textContent = text;
    }
  }

  #visibleDrawing(): SVGSVGElement | undefined {
    const drawings = [...this.querySelectorAll<SVGSVGElement>("svg.drawing")];
    return drawings.find((svg) => svg.getClientRects().length > 0);
  }

  /** Draws one frame, and asks for the next while a dot moves. */
  #draw(nowMs: number): void {
    this.#isFrameRequested = false;
    const svg = this.#visibleDrawing();
    for (const [other, dots] of this.#dots) {
      if (other !== svg || this.#calm.matches) dots.clear();
      else dots.draw(nowMs);
      if (dots.areMoving) this.#requestFrame();
    }
  }

  #button(name: string): HTMLButtonElement {
    const button = this.querySelector<HTMLButtonElement>(`button[data-fault="${name}"]`);
    if (button === null) throw new Error(`Couldn't find the button ${name}`);
    return button;
  }
}

function fillSlots(svg: Element, name: string, count: number): void {
  svg.querySelectorAll(`[data-slots="${name}"]`).forEach((slot, index) => {
    slot.classList.toggle("full", index < count);
  });
}

/** Calls back when the page has loaded and has nothing to do. */
function whenIdle(callback: () => void): void {
  const wait = (): void => {
    // WebKit has no idle callbacks.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(callback, { timeout: 2000 });
    else setTimeout(callback, 200);
  };
  if (document.readyState === "complete") wait();
  else addEventListener("load", wait, { once: true });
}

customElements.define("live-picture", LivePicture);
