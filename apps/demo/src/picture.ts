import type { ObjectEvent } from "./event-feed.ts";
import { Line, wrap, type Style } from "./line.ts";
import type { Notice, Session } from "./session.ts";
import type { Terminal } from "./terminal.ts";
import { formatAge } from "./words.ts";

/** The keys, with a word for the last line and a sentence for the help. */
const keys: readonly (readonly [key: string, label: string, help: string])[] = [
  ["d", "drop", "break the connection of the watch; it comes back and catches up"],
  ["c", "compact", "compact the server's history: the watch is refused with 410, and lists again"],
  ["s", "429", "a storm: for 5 s lists and watches are refused with 429 Too Many Requests"],
  ["l", "latency", "a slow network: requests and answers take 800 ms longer; again to end it"],
  ["h", "slow", "a slow handler: audit takes 700 ms an event, its mailbox grows, others go on"],
  ["b", "burst", "many pods at once; they go a few seconds later"],
  ["m", "50,000", "50,000 pods through the watch, for half a minute; again to remove them"],
  ["p", "pause", "hold the picture, while the informer goes on; again to go on"],
  ["?", "help", "this text; the other keys work here too"],
  ["q", "quit", "end the demo"],
];
/** Keys that need the demo's own cluster. */
const keysOfOwn = "csm";
const about =
  "An informer keeps a copy of a collection on an API server, and calls handlers with changes. " +
  "Each change goes through its stages from left to right. The dots are changes, slowed down for " +
  "the eye; the numbers are measured. Lines with ✓ are proofs: the demo has listed the server at " +
  "the version of the cache, and has compared each object, member by member.";

/** How long a dot takes from left to right; the change itself took a few milliseconds. */
const dotMs = 1200;
const mostNotices = 10;
const steps = "▁▂▃▄▅▆▇█";
// Room for "ContainerCreating → Running".
const detailWidth = 27;

const kinds: Readonly<Record<ObjectEvent["kind"], readonly [word: string, Style]>> = {
  add: ["ADDED", "green"],
  update: ["UPDATED", "yellow"],
  delete: ["DELETED", "red"],
};
/** Colours of the states of pods; other words are dim. */
const states: Readonly<Record<string, Style>> = {
  Running: "green",
  Pending: "yellow",
  ContainerCreating: "yellow",
  CrashLoopBackOff: "red",
  Error: "red",
  Completed: "blue",
  Terminating: "magenta",
};

/** The pictures of a session, as high and wide as the terminal. */
export class Picture {
  readonly #session: Session;
  readonly #terminal: Terminal;
  #mode: "live" | "paused" | "help" = "live";

  constructor(session: Session, terminal: Terminal) {
    this.#session = session;
    this.#terminal = terminal;
  }

  /** Switches to another picture, or back; returns false for other keys. */
  press(key: string): boolean {
    const mode = key === "p" ? "paused" : key === "?" ? "help" : undefined;
    if (mode !== undefined) this.#mode = this.#mode === mode ? "live" : mode;
    return mode !== undefined;
  }

  /** Draws the current state, unless the picture is held. */
  draw(): void {
    if (this.#mode === "paused") return;
    const { columns, rows } = this.#terminal.size;
    const isHelp = this.#mode === "help";
    const lines = isHelp ? help(this.#session, columns) : live(this.#session, columns, rows);
    while (lines.length < rows - 1) lines.push(new Line());
    const picture = [...lines.slice(0, rows - 1), keyLine(this.#session, columns)];
    this.#terminal.draw(picture.map(String));
  }
}

/** One event as a line, or as a line of a picture with its age. */
export function eventLine(event: ObjectEvent, columns = Infinity, age = ""): Line {
  const [word, style] = kinds[event.kind];
  const width = Math.max(16, Math.min(54, columns - 18 - detailWidth));
  const isCut = columns < Infinity && event.key.length > width;
  const key = isCut ? `${event.key.slice(0, width - 1)}…` : event.key;
  const line = new Line(columns).add(age, "dim").add(word.padEnd(8), style);
  line.add(`${columns < Infinity ? key.padEnd(width) : key}  `);
  for (const part of event.detail.split(/\b([A-Z]\w+)/)) line.add(part, states[part] ?? "dim");
  return line;
}

function live(session: Session, columns: number, rows: number): Line[] {
  const { clock, feed, notices, server, startedMs, title } = session;
  const nowMs = clock.now();
  const elapsed = formatAge(nowMs - startedMs);
  const header = new Line(columns).add(" listwatch", "bold", "cyan").add(`  ${title}`);
  header.add(`  ${server}`, "dim").to(columns - elapsed.length - 1);
  const rule = new Line(columns).add("─".repeat(columns), "dim");
  const lines = [header.add(elapsed, "dim"), rule, ...pipeline(session, columns)];
  const noticeRows = Math.min(mostNotices, Math.floor((rows - lines.length) / 3));
  // Always as many, so that the lines below do not jump.
  for (let row = 0; row < noticeRows; row++) lines.push(noticeLine(notices[row], columns, nowMs));
  lines.push(new Line(), ...charts(session, columns), new Line());
  for (const event of feed.newest(rows - 1 - lines.length)) {
    lines.push(eventLine(event, columns, `${formatAge(nowMs - event.atMs).padStart(7)} `));
  }
  return lines;
}

function help({ isOwn }: Session, columns: number): Line[] {
  const lines = wrap(about, columns - 2).map((text) => new Line(columns).add(` ${text}`));
  for (const [key, , text] of keys) {
    const isHere = isOwn || !keysOfOwn.includes(key);
    const all = isHere ? text : `${text} (not on a cluster of yours)`;
    wrap(all, columns - 6).forEach((part, index) => {
      const line = new Line(columns).add("  ").add(index === 0 ? key : " ", "inverse");
      lines.push(line.add("  ").add(part));
    });
  }
  return lines;
}

/** The stages from the server to the handlers with the changes between them, and the mailboxes. */
function pipeline(session: Session, columns: number): Line[] {
  const { audit, detail, faults, feed, informer, metrics, outage, phase, screen } = session;
  const peak = session.queuePeak > 0 ? ` (peak ${session.queuePeak})` : "";
  const health = outage !== undefined ? "red" : phase === "watching" ? "green" : "yellow";
  const stages: readonly (readonly [name: string, value: string, ...Style[]])[] = [
    ["API server", `● ${phase}`, health],
    ["reflector", `rv ${informer.status().source?.resourceVersion || "–"}`],
    ["queue", `${informer.status().queuedDeltas}${peak}`],
    ["store", `${informer.store.size} objects`],
    ["handlers", `${feed.total} events`],
  ];
  const width = Math.max(12, Math.floor((columns - 1) / stages.length));
  const [names, values] = [new Line(columns), new Line(columns)];
  stages.forEach(([name, value, ...styles], index) => {
    names.to(1 + index * width).add(name, "bold");
    values.to(1 + index * width).add(value.slice(0, width - 1), ...styles);
  });
  const state = new Line(columns).add(" ");
  for (const fault of faults.values()) state.add(fault(), "yellow").add(" · ", "dim");
  state.add(detail, health === "green" ? "dim" : health);
  const boxes = new Line(columns).add(" mailboxes", "bold");
  for (const { isSlow, name, waiting } of [screen, metrics, audit]) {
    boxes.add(`  ${name} `).add(`${waiting} waiting`, isSlow ? "yellow" : "green");
    if (waiting > 0) boxes.add(` ${"█".repeat(Math.min(waiting, columns))}`, "yellow");
  }
  return [names, track(session, columns), values, state, boxes];
}

/** The changes of the last moment, each at its place between server and handlers. */
function track({ clock, feed }: Session, columns: number): Line {
  const line = new Line(columns).add(" ");
  const end = columns - 3;
  const dots = new Map<number, Style>();
  for (const { atMs, kind } of feed.newest(2 * columns)) {
    const part = (clock.now() - atMs) / dotMs;
    if (part < 1) dots.set(Math.floor(part * end), kinds[kind][1]);
  }
  for (let column = 0; column < end; column++) {
    const style = dots.get(column);
    line.add(style === undefined ? "─" : "●", style ?? "dim");
  }
  return line.add("▶", "dim");
}

function noticeLine(notice: Notice | undefined, columns: number, nowMs: number): Line {
  if (notice === undefined) return new Line();
  const { atMs, text, tone } = notice;
  const styles = { plain: "cyan", proof: "green", failure: "red" } as const;
  const line = new Line(columns).add(` ${text}`, styles[tone]);
  const age = formatAge(nowMs - atMs);
  // The age gives way to a long text.
  const column = columns - age.length - 1;
  return text.length + 2 > column ? line : line.to(column).add(age, "dim");
}

/** The objects of each namespace, and the events of each second. */
function charts({ clock, feed, namespaces }: Session, columns: number): Line[] {
  const objects = new Line(columns).add(" objects ", "bold");
  for (const [name, count] of namespaces) objects.add(` ${name} ${count} `);
  const history = feed.history(clock.now());
  const most = Math.max(8, ...history);
  const bars = history.map((count) => steps[Math.ceil((count / most) * 7)]).join("");
  const rate = history.slice(-5).reduce((sum, count) => sum + count, 0) / 5;
  const events = new Line(columns).add(" events/s ", "bold").add(`${rate.toFixed(1)} `);
  return [objects, events.add(bars.slice(-Math.max(0, columns - 16)), "cyan")];
}

/** All keys, with their words; a narrow line has only the words of help and quit. */
function keyLine({ faults, isOwn }: Session, columns: number): Line {
  const here = keys.filter(([key]) => isOwn || !keysOfOwn.includes(key));
  const isWide = here.map(([key, label]) => ` ${key} ${label}`).join("").length <= columns;
  const line = new Line(columns);
  for (const [key, label] of here) {
    const isOn = faults.has(key);
    const word = isWide || key === "?" || key === "q" ? ` ${label}` : "";
    // Capitals for terminals without colours.
    line.add(" ").add(isOn && !isWide ? key.toUpperCase() : key, "inverse");
    line.add(isOn ? word.toUpperCase() : word, ...(isOn ? ["yellow" as const] : []));
  }
  return line;
}
