import type { FeedEvent } from "./event-feed.ts";
import { duration } from "./plain-text.ts";
import type { Notice, Snapshot } from "./snapshot.ts";
import { kindStyles, pipelineLines } from "./pipeline-lines.ts";
import { StyledLine, type Style } from "./styled-line.ts";
import type { Size } from "./terminal.ts";

/** A key and what it does, for the last line. */
export interface KeyHint {
  readonly key: string;
  readonly label: string;
  readonly isHere: boolean;
  readonly isOn?: (() => boolean) | undefined;
}

const toneStyles: Record<Notice["tone"], Style> = {
  plain: "cyan",
  proof: "green",
  failure: "red",
};
/** Colours of the states that pods have most; others are dim. */
const stateStyles: ReadonlyMap<string, Style> = new Map([
  ["Running", "green"],
  ["Active", "green"],
  ["Pending", "yellow"],
  ["ContainerCreating", "yellow"],
  ["CrashLoopBackOff", "red"],
  ["Error", "red"],
  ["Failed", "red"],
  ["Completed", "blue"],
  ["Succeeded", "blue"],
  ["Terminating", "magenta"],
]);
const kindWords: Record<FeedEvent["kind"], string> = {
  add: "added",
  update: "updated",
  delete: "deleted",
};

/** Draws the view: exactly as many lines as the terminal has, none wider than it. */
export function renderFrame(snapshot: Snapshot, size: Size, keys: readonly KeyHint[]): string[] {
  const { columns, rows } = size;
  const lines = [...header(snapshot, columns), ...pipelineLines(snapshot, columns)];
  lines.push(...noticeLines(snapshot, columns, Math.floor((rows - lines.length) / 4)));
  const namespaces = Math.max(3, snapshot.objectsByNamespace.size);
  const chartRows = Math.min(namespaces, Math.max(3, Math.floor((rows - lines.length) / 3)));
  if (rows >= lines.length + chartRows + 6) {
    lines.push("", ...panels(snapshot, columns, chartRows));
  }
  lines.push("", new StyledLine(columns).add(" Last events", "bold").toString());
  const left = Math.max(0, rows - 1 - lines.length);
  for (const event of snapshot.feed.newest(left)) lines.push(eventLine(event, snapshot, columns));
  while (lines.length < rows - 1) lines.push("");
  return [...lines.slice(0, rows - 1), footer(keys, columns)];
}

function header(snapshot: Snapshot, columns: number): string[] {
  const elapsed = duration(snapshot.nowMs - snapshot.startedMs);
  const line = new StyledLine(columns)
    .add(" listwatch", "bold", "cyan")
    .add(`  ${snapshot.title}`)
    .add(`  ${snapshot.server}`, "dim")
    .to(columns - elapsed.length - 1)
    .add(elapsed, "dim");
  return [line.toString(), new StyledLine(columns).add("─".repeat(columns), "dim").toString()];
}

/**
 * What happened and what was proved, newest first; always as many lines, so that what is below does
 * not jump.
 */
function noticeLines({ notices, nowMs }: Snapshot, columns: number, rows: number): string[] {
  return Array.from({ length: Math.min(rows, 5) }, (_, index) => {
    const notice = notices[index];
    if (notice === undefined) return "";
    const line = new StyledLine(columns).add(` ${notice.text}`, toneStyles[notice.tone]);
    const age = duration(nowMs - notice.atMs);
    // The age gives way to a long text.
    const ageColumn = columns - age.length - 1;
    if (notice.text.length + 2 <= ageColumn) line.to(ageColumn).add(age, "dim");
    return line.toString();
  });
}

function panels(snapshot: Snapshot, columns: number, rows: number): string[] {
  const middle = Math.floor(columns / 2);
  const left = namespaceLines(snapshot, middle, rows);
  const right = chartLines(snapshot, columns - middle - 2, rows);
  const { feed, nowMs } = snapshot;
  const title = new StyledLine(columns).add(" Objects per namespace", "bold").to(middle);
  title.add("Events per second", "bold").add(`  ${feed.rate(nowMs).toFixed(1)}`, "cyan");
  const lines = left.map((draw, index) => {
    const line = new StyledLine(columns);
    draw(line);
    return line
      .to(middle)
      .add(right[index] ?? "", "cyan")
      .toString();
  });
  return [title.toString(), ...lines];
}

function namespaceLines(
  snapshot: Snapshot,
  columns: number,
  rows: number,
): ((line: StyledLine) => void)[] {
  const entries = [...snapshot.objectsByNamespace].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = entries.length > rows ? entries.slice(0, rows - 1) : entries;
  const nameWidth = Math.min(
    Math.max(9, ...shown.map(([name]) => name.length)),
    Math.floor(columns / 2),
  );
  const barWidth = Math.max(0, columns - nameWidth - 10);
  const most = Math.max(1, ...entries.map(([, count]) => count));
  const lines = shown.map(([name, count]) => (line: StyledLine): void => {
    line
      .add(` ${(name === "" ? "(cluster)" : name).slice(0, nameWidth).padEnd(nameWidth)}`)
      .add(String(count).padStart(6), "bold")
      .add(` ${bar((count / most) * barWidth)}`, "blue");
  });
  if (entries.length > rows) {
    lines.push((line) => line.add(` and ${entries.length - rows + 1} more`, "dim"));
  }
  while (lines.length < rows) lines.push(() => undefined);
  return lines;
}

const eighthsAcross = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const eighthsUp = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

function bar(width: number): string {
  const whole = Math.floor(width);
  return "█".repeat(whole) + (eighthsAcross[Math.floor((width - whole) * 8)] ?? "");
}

/** Events in each second, newest at the right, as columns of block characters. */
function chartLines(snapshot: Snapshot, columns: number, rows: number): string[] {
  const history = snapshot.feed.history(Math.min(columns, 60), snapshot.nowMs);
  const most = Math.max(8, ...history);
  return Array.from({ length: rows }, (_, row) => {
    const below = (rows - 1 - row) * 8;
    return history
      .map((count) => {
        const eighths = Math.ceil((count / most) * rows * 8) - below;
        return eighthsUp[Math.max(0, Math.min(8, eighths))] ?? " ";
      })
      .join("");
  });
}

// Room for "ContainerCreating → Running".
const detailWidth = 27;

function eventLine(event: FeedEvent, snapshot: Snapshot, columns: number): string {
  const age = duration(snapshot.nowMs - event.atMs);
  const keyWidth = Math.max(16, Math.min(54, columns - 19 - detailWidth));
  const key = event.key.length > keyWidth ? `${event.key.slice(0, keyWidth - 1)}…` : event.key;
  const line = new StyledLine(columns)
    .add(` ${age.padStart(6)}  `, "dim")
    .add(kindWords[event.kind].padEnd(9), kindStyles[event.kind])
    .add(`${key.padEnd(keyWidth)} `);
  for (const part of event.detail.split(/\b([A-Z]\w+)/))
    line.add(part, stateStyles.get(part) ?? "dim");
  return line.toString();
}

function footer(keys: readonly KeyHint[], columns: number): string {
  const line = new StyledLine(columns);
  for (const { isHere, isOn, key, label } of keys) {
    if (!isHere) continue;
    line.add(" ").add(key, "inverse").add(" ");
    // Capitals for terminals without colours.
    if (isOn?.() === true) line.add(label.toUpperCase(), "yellow", "bold");
    else line.add(label);
  }
  return line.toString();
}
