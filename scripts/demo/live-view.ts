import { stripVTControlCharacters } from "node:util";
import { renderFrame, type KeyHint } from "./live-frame.ts";
import type { Snapshot } from "./snapshot.ts";
import type { Terminal } from "./terminal.ts";

/** A key of the view. */
export interface KeyAction extends KeyHint {
  run(): void;
}

/** What a {@link LiveView} needs. */
export interface LiveViewOptions {
  readonly terminal: Terminal;
  readonly snapshot: () => Snapshot;
  readonly actions: readonly KeyAction[];
  /** Whether to use colours; see https://no-color.org. */
  readonly color: boolean;
  /** The user pressed Ctrl-C, which a terminal in raw mode does not turn into a signal. */
  readonly onInterrupt: () => void;
}

// Ten pictures a second look alive and cost next to nothing.
const frameMs = 100;
const ctrlC = "\u0003";

/** A full-screen view, redrawn in place while it is open. */
export class LiveView {
  readonly #options: LiveViewOptions;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  open(): void {
    const draw = (): void => this.#draw();
    this.#options.terminal.open((key) => this.#press(key), draw);
    this.#timer = setInterval(draw, frameMs);
    draw();
  }

  /** Gives the terminal back as it was. */
  close(): void {
    clearInterval(this.#timer);
    this.#options.terminal.restore();
  }

  #press(key: string): void {
    if (key === ctrlC) this.#options.onInterrupt();
    this.#options.actions.find((action) => action.key === key.toLowerCase())?.run();
  }

  #draw(): void {
    const { terminal, snapshot, actions, color } = this.#options;
    const lines = renderFrame(snapshot(), terminal.size, actions);
    terminal.draw(color ? lines : lines.map((line) => stripVTControlCharacters(line)));
  }
}
