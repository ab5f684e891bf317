import type { FeedEvent } from "./event-feed.ts";
import type { Mailbox } from "./mailboxes.ts";
import { StyledLine, type Style } from "./styled-line.ts";
import type { ConnectionState, Snapshot } from "./snapshot.ts";

const healthStyles: Record<ConnectionState["health"], Style> = {
  good: "green",
  starting: "yellow",
  bad: "red",
};

/** Colours of what happened to an object. */
export const kindStyles: Readonly<Record<FeedEvent["kind"], Style>> = {
  add: "green",
  update: "yellow",
  delete: "red",
};

/**
 * How long a change takes from the left to the right of the screen. It really takes a few
 * milliseconds, which no eye could follow.
 */
const dotMs = 1200;
/** Changes that are looked at for dots; more would fill the line anyway. */
const mostDots = 300;
/** Events that one column of a mailbox's bar stands for. */
const eventsPerColumn = 2;

/**
 * Draws the way of a change from the server to the handlers: the stages with their numbers under
 * them, the changes that are on their way, and the mailboxes.
 */
export function pipelineLines(snapshot: Snapshot, columns: number): string[] {
  const { connection, feed, faults } = snapshot;
  const health = healthStyles[connection.health];
  const peak = snapshot.queuedPeak > 0 ? ` (peak ${snapshot.queuedPeak})` : "";
  const stages: readonly (readonly [string, string, readonly Style[]])[] = [
    ["API server", `● ${connection.phase}`, [health]],
    ["reflector", `rv ${snapshot.resourceVersion === "" ? "–" : snapshot.resourceVersion}`, []],
    ["queue", `${snapshot.queued}${peak}`, []],
    ["store", `${snapshot.objects} objects`, []],
    ["handlers", `${feed.total} events`, []],
  ];
  const width = Math.max(12, Math.floor((columns - 1) / stages.length));
  const names = new StyledLine(columns);
  const values = new StyledLine(columns);
  stages.forEach(([name, value, styles], index) => {
    const column = 1 + index * width;
    names.to(column).add(name, "bold");
    values.to(column).add(value.slice(0, width - 1), ...styles);
  });
  const stops = stages.map((_, index) => 1 + index * width);
  const detailStyle: Style = connection.health === "good" ? "dim" : health;
  const detail = new StyledLine(columns).add(" ");
  for (const fault of faults) detail.add(fault, "yellow").add(" · ", "dim");
  detail.add(connection.detail, detailStyle);
  return [
    names.toString(),
    trackLine(snapshot, columns, stops),
    values.toString(),
    detail.toString(),
    mailboxLine(snapshot.mailboxes, columns),
  ];
}

/** The changes of the last moment, each at the place that it has come to. */
function trackLine({ feed, nowMs }: Snapshot, columns: number, stops: readonly number[]): string {
  const end = columns - 2;
  const dots = new Map<number, Style>();
  for (const { atMs, kind } of feed.newest(mostDots)) {
    const part = (nowMs - atMs) / dotMs;
    if (part < 1) dots.set(1 + Math.floor(Math.max(0, part) * (end - 1)), kindStyles[kind]);
  }
  const line = new StyledLine(columns).add(" ");
  let track = "";
  for (let column = 1; column <= end; column++) {
    const style = dots.get(column);
    if (style === undefined) {
      track += column === end ? "▶" : stops.includes(column) ? "┴" : "─";
      continue;
    }
    line.add(track, "dim").add("●", style);
    track = "";
  }
  return line.add(track, "dim").toString();
}

/** How many events wait for each handler. */
function mailboxLine(mailboxes: readonly Mailbox[], columns: number): string {
  const line = new StyledLine(columns).add(" mailboxes", "bold");
  for (const { isSlow, name, waiting } of mailboxes) {
    line.add(`  ${name} `).add(`${waiting} waiting`, isSlow ? "yellow" : "green");
    if (waiting > 0) line.add(` ${"█".repeat(Math.ceil(waiting / eventsPerColumn))}`, "yellow");
  }
  return line.toString();
}
