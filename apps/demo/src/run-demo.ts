import { sleep, type Clock, type Connection } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import type { DemoArguments } from "./arguments.ts";
import type { ObjectEvent } from "./event-feed.ts";
import { Faults, manyPods, type Places } from "./faults.ts";
import { Guest } from "./guest.ts";
import { OwnCluster } from "./own-cluster.ts";
import { eventLine, Picture } from "./picture.ts";
import { Session, type Notice } from "./session.ts";
import type { Terminal } from "./terminal.ts";

/** The surroundings of the demo. */
export interface Surroundings {
  readonly clock: Clock;
  readonly terminal: Terminal;
  /** Ends the demo. */
  readonly stop: AbortController;
  /** Connects to the server of the demo's own cluster, or to the real one. */
  connect(own?: FakeApiServer): Promise<Connection & AsyncDisposable>;
}

// Often enough for the eye, and seldom enough to cost nothing.
const frameMs = 100;
const ctrlC = "\u0003";

/** A server that keeps a watch open while it is far behind, as after the key m on a busy machine. */
function createServer(clock: Clock, seed: number): FakeApiServer {
  // Each pod is updated and deleted.
  const watch = { bufferEvents: 2 * manyPods, bufferBytes: 256 * 2 ** 20 };
  // The simulated kubelets end the deletion of pods.
  return new FakeApiServer({ clock, seed, podDeletion: "never", watch });
}

/** Runs the demo until it is stopped; resolves with its failures. */
export async function runDemo(command: DemoArguments, place: Surroundings): Promise<string[]> {
  const { clock, stop, terminal } = place;
  const { isReal, readOnly, seed } = command;
  const server = isReal ? undefined : createServer(clock, seed);
  await using connection = await place.connect(server);
  const print = (atMs: number, line: string): void => {
    const time = new Date(atMs).toISOString().slice(11, 23);
    if (!terminal.isInteractive) terminal.print(`${time} ${line}`);
  };
  const onEvent = (event: ObjectEvent): void => print(event.atMs, String(eventLine(event)));
  const onNotice = ({ atMs, text }: Notice): void => print(atMs, `------  ${text}`);
  const { signal } = stop;
  const session = new Session({ command, connection, clock, signal, onEvent, onNotice });
  const own = server && new OwnCluster(session, server);
  // Where its pods would not be seen, the demo makes none.
  const isGuest = isReal && !readOnly && session.seesPods;
  const guest = isGuest ? new Guest(session, connection) : undefined;
  return await run(session, { own, guest }, place);
}

async function run(session: Session, places: Places, place: Surroundings): Promise<string[]> {
  const { stop, terminal } = place;
  const { guest, own } = places;
  const drawing = keepDrawing(session, new Faults(session, places), place);
  try {
    await own?.setUp();
    session.note(`Connecting to ${session.server}`);
    await Promise.all([session.informer.run(stop.signal), own?.run(), guest?.run()]);
  } catch (error) {
    // A user who ends it during the start causes no failure.
    if (!stop.signal.aborted) throw error;
  } finally {
    stop.abort();
    await drawing;
    terminal.close();
  }
  const failures = (await guest?.remove((line) => terminal.print(line))) ?? [];
  terminal.print(summary(session));
  return own === undefined ? [...failures, ...failuresOf(session)] : failures;
}

/** Shows the picture where there is one, with its keys, and notices recoveries. */
async function keepDrawing(session: Session, faults: Faults, place: Surroundings): Promise<void> {
  const { clock, stop, terminal } = place;
  const { signal } = stop;
  const picture = new Picture(session, terminal);
  terminal.listen((key) => {
    if (key === "q" || key === ctrlC) stop.abort();
    else if (!picture.press(key)) void faults.press(key);
  });
  while (!signal.aborted) {
    session.look();
    picture.draw();
    await sleep(frameMs, { clock, signal }).catch(() => {});
  }
}

function summary(session: Session): string {
  const { clock, feed, informer, namespaces, recoveries, server, startedMs, title } = session;
  const { add, update, delete: deleted } = feed.totals;
  const seconds = ((clock.now() - startedMs) / 1000).toFixed(1);
  const version = informer.status().source?.resourceVersion || "–";
  const objects = namespaces.map(([name, count]) => `${name} ${count}`);
  return [
    `Summary: ${title} at ${server}, ${seconds} s`,
    `  events     ${feed.total}: ${add} added, ${update} updated, ${deleted} deleted`,
    `  cache      ${informer.store.size} objects at resourceVersion ${version}`,
    ...(objects.length > 0 ? [`  objects    ${objects.join(", ")}`] : []),
    `  recoveries ${recoveries}`,
  ].join("\n");
}

/** Why the server was never watched, if it was not. */
function failuresOf({ connections, informer, outage, server }: Session): string[] {
  if (informer.hasSynced) return [];
  if (!connections.hasAnswered) return [`${server} has never answered`];
  // Without a problem the demo was ended during the first list.
  return outage === undefined ? [] : [`${server} could not be watched: ${outage.problem}`];
}
