import type { ConsoleBatch, ConsoleLine } from "./console-batches.ts";

/** Lines at the start of the output, and as many at its end, that stay on the page. */
const maxLines = 250;

/**
 * Shows what a program prints: the start and the end of it, with a note between them. What arrives
 * is only noted, and shown once a frame, so that a program that prints without end cannot keep the
 * page from anything else.
 */
export class ConsolePane {
  readonly #element: HTMLElement;
  /** The end of the output, which changes when more is printed than is shown. */
  readonly #end: HTMLElement;
  #waiting: ConsoleLine[] = [];
  #started = 0;
  #last: ConsoleLine[] = [];
  #leftOut = 0;
  #frame: number | undefined;

  constructor(element: HTMLElement) {
    this.#element = element;
    this.#end = element.ownerDocument.createElement("span");
  }

  clear(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#waiting = [];
    this.#started = 0;
    this.#last = [];
    this.#leftOut = 0;
    this.#end.replaceChildren();
    this.#element.replaceChildren(this.#end);
  }

  show({ first, leftOut, last }: ConsoleBatch): void {
    for (const line of first) this.#take(line);
    this.#leftOut += leftOut;
    // Lines are dropped from the middle, so the start does not grow any more.
    if (leftOut > 0) this.#started = maxLines;
    for (const line of last) this.#take(line);
    const excess = this.#last.length - maxLines;
    if (excess > 0) {
      this.#last.splice(0, excess);
      this.#leftOut += excess;
    }
    this.#frame ??= requestAnimationFrame(() => {
      this.#render();
    });
  }

  /** Shows at once what waits for the next frame. */
  flush(): void {
    if (this.#frame === undefined) return;
    cancelAnimationFrame(this.#frame);
    this.#render();
  }

  #take(line: ConsoleLine): void {
    if (this.#started === maxLines) {
      this.#last.push(line);
      return;
    }
    this.#started += 1;
    this.#waiting.push(line);
  }

  #render(): void {
    this.#frame = undefined;
    this.#end.before(...this.#waiting.map((line) => this.#span(line)));
    this.#waiting = [];
    const note = `… ${this.#leftOut.toLocaleString("en")} lines are not shown …`;
    const middle = this.#leftOut === 0 ? [] : [this.#span({ kind: "warn", text: note })];
    this.#end.replaceChildren(...middle, ...this.#last.map((line) => this.#span(line)));
    this.#element.scrollTop = this.#element.scrollHeight;
  }

  #span({ kind, text }: ConsoleLine): HTMLElement {
    const element = this.#element.ownerDocument.createElement("span");
    element.className = kind;
    element.textContent = `${text}\n`;
    return element;
  }
}
