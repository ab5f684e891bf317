import type { FeedEvent } from "./event-feed.ts";
import type { Snapshot } from "./snapshot.ts";
import { StyledLine, type Style } from "./styled-line.ts";

/** Size of the terminal in characters. */
export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** A key and what it does, for the last line. */
export interface KeyHint {
  readonly key: string;
  readonly label: string;
}

const healthStyles: Record<Snapshot["connection"]["health"], Style> = {
  good: "green",
  starting: "yellow",
  bad: "red",
};
const kindStyles: Record<FeedEvent["kind"], Style> = {
  add: "green",
  update: "yellow",
  delete: "red",
};
const kindWords: Record<FeedEvent["kind"], string> = {
  add: "added",
  update: "updated",
  delete: "deleted",
};

/** Draws the view: exactly as many lines as the terminal has, none wider than it. */
export function renderFrame(snapshot: Snapshot, size: Size, keys: readonly KeyHint[]): string[] {
  const { columns, rows } = size;
  const lines = [...header(snapshot, columns), ...pipeline(snapshot, columns)];
  lines.push(...noticeLines(snapshot, columns, Math.floor((rows - lines.length) / 6)));
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

/** One column per stage, so that the numbers stand under the way an object takes. */
function pipeline(snapshot: Snapshot, columns: number): string[] {
  const { connection, feed } = snapshot;
  const health = healthStyles[connection.health];
  const peak = snapshot.queuedPeak > 0 ? ` (peak ${snapshot.queuedPeak})` : "";
  const stages: readonly (readonly [string, string, readonly Style[]])[] = [
    ["API server", `● ${connection.phase}`, [health]],
    ["reflector", `rv ${snapshot.resourceVersion === "" ? "–" : snapshot.resourceVersion}`, []],
    ["queue", `${snapshot.queued}${peak}`, []],
    ["indexer", `${snapshot.objects} objects`, []],
    ["handlers", `${feed.total} events`, []],
  ];
  const width = Math.max(12, Math.floor((columns - 1) / stages.length));
  const names = new StyledLine(columns);
  const values = new StyledLine(columns);
  stages.forEach(([name, value, styles], index) => {
    const column = 1 + index * width;
    names.to(column).add(name, "bold");
    if (index < stages.length - 1) {
      const arrow = Math.max(0, width - name.length - 3);
      names.add(" ").add(`${"─".repeat(arrow)}▶`, "dim");
    }
    values.to(column).add(value.slice(0, width - 1), ...styles);
  });
  const detailStyle: Style = connection.health === "good" ? "dim" : health;
  const detail = new StyledLine(columns).add(` ${connection.detail}`, detailStyle);
  return ["", names.toString(), values.toString(), detail.toString()];
}

/**
 * What happened to the connection, newest first; always as many lines, so that what is below does
 * not jump.
 */
function noticeLines({ notices, nowMs }: Snapshot, columns: number, rows: number): string[] {
  return Array.from({ length: Math.min(rows, 4) }, (_, index) => {
    const notice = notices[index];
    if (notice === undefined) return "";
    const age = duration(nowMs - notice.atMs).padStart(6);
    return new StyledLine(columns).add(` ${age}  `, "dim").add(notice.text, "cyan").toString();
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
  return new StyledLine(columns)
    .add(` ${age.padStart(6)}  `, "dim")
    .add(kindWords[event.kind].padEnd(9), kindStyles[event.kind])
    .add(key.padEnd(keyWidth))
    .add(` ${event.detail}`, "dim")
    .toString();
}

function footer(keys: readonly KeyHint[], columns: number): string {
  const line = new StyledLine(columns);
  for (const { key, label } of keys) line.add(" ").add(` ${key} `, "inverse").add(` ${label} `);
  return line.toString();
}

/** A length of time in at most six characters: `7s`, `3m05s`, `2h04m`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const pad = (value: number): string => String(value).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}
