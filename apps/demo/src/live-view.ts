import type { KeyAction } from "./keys.ts";
import { renderHelp } from "./help-frame.ts";
import { renderFrame } from "./live-frame.ts";
import type { Terminal } from "./terminal.ts";
import type { Snapshot } from "./snapshot.ts";

/** What a {@link LiveView} needs. */
export interface LiveViewOptions {
  readonly terminal: Terminal;
  readonly snapshot: () => Snapshot;
  /** Keys besides those of the view itself. */
  readonly actions: readonly KeyAction[];
  /** The user wants to end it; a terminal in raw mode does not turn Ctrl-C into a signal. */
  readonly onQuit: () => void;
}

type Mode = "live" | "paused" | "help";

// Ten pictures a second look alive and cost next to nothing.
const frameMs = 100;
const ctrlC = "\u0003";

/** A full-screen view, redrawn in place while it is open. */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #actions: readonly KeyAction[];
  #timer: ReturnType<typeof setInterval> | undefined;
  #mode: Mode = "live";

  constructor(options: LiveViewOptions) {
    this.#options = options;
    const isHere = true;
    this.#actions = [
      ...options.actions,
      {
        key: "p",
        label: "pause",
        help: "hold the picture, to read it; the informer goes on; again to go on",
        isHere,
        isOn: () => this.#mode === "paused",
        run: () => this.#toggle("paused"),
      },
      { key: "?", label: "help", help: "this text", isHere, run: () => this.#toggle("help") },
      { key: "q", label: "quit", help: "end the demo", isHere, run: () => options.onQuit() },
    ];
  }

  open(): void {
    this.#options.terminal.open(
      (key) => this.#press(key),
      () => this.#draw(),
    );
    this.#timer = setInterval(() => {
      if (this.#mode !== "paused") this.#draw();
    }, frameMs);
    this.#draw();
  }

  /** Gives the terminal back as it was. */
  close(): void {
    clearInterval(this.#timer);
    this.#options.terminal.restore();
  }

  #toggle(mode: Mode): void {
    this.#mode = this.#mode === mode ? "live" : mode;
    this.#draw();
  }

  #press(key: string): void {
    if (key === ctrlC) this.#options.onQuit();
    this.#actions.find((action) => action.key === key.toLowerCase())?.run();
  }

  #draw(): void {
    const { terminal, snapshot } = this.#options;
    const lines =
      this.#mode === "help"
        ? renderHelp(terminal.size, this.#actions)
        : renderFrame(snapshot(), terminal.size, this.#actions);
    terminal.draw(lines);
  }
}
