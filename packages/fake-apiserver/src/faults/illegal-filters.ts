import type { LineFilter } from "./stream/controlled-stream.ts";
import { EventLine } from "./stream/event-line.ts";
import type { IllegalAction } from "./fault-action.ts";
import { matchesEvent } from "./control/watch-control.ts";

/** The line filter that does what the action says. */
export function illegalFilter(action: IllegalAction): LineFilter {
  if (action.type === "earlyInitialEnd") return earlyInitialEnd();
  const match = action.match ?? {};
  switch (action.type) {
    case "duplicateEvents":
      return (line) => (matchesEvent(match, line) ? [line, line] : [line]);
    case "dropEvents":
      return (line) => (matchesEvent(match, line) ? [] : [line]);
    case "reorderEvents":
      return swapWithNext((line) => matchesEvent(match, line));
    case "regressRevision":
    default:
      return (line) => (matchesEvent(match, line) ? [regressed(line, action.by)] : [line]);
  }
}

function swapWithNext(isMeant: (line: EventLine) => boolean): LineFilter {
  let held: EventLine | undefined;
  return (line) => {
    if (held !== undefined) {
      const both = [line, held];
      held = undefined;
      return both;
    }
    if (!isMeant(line)) return [line];
    held = line;
    return [];
  };
}

/** Keeps one event back all the time, so that the bookmark can overtake it. */
function earlyInitialEnd(): LineFilter {
  let last: EventLine | undefined;
  let done = false;
  return (line) => {
    if (done) return [line];
    if (!line.isInitialEnd) {
      const before = last;
      last = line;
      return before === undefined ? [] : [before];
    }
    done = true;
    return last === undefined ? [line] : [line, last];
  };
}

function regressed(line: EventLine, by: number): EventLine {
  const { object } = line;
  const resourceVersion = String(Math.max(1, line.revision - by));
  return EventLine.of(line.type, {
    ...object,
    metadata: { ...line.metadata, resourceVersion },
  });
}
