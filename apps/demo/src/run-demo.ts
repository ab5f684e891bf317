import { createConnection, type Connection } from "@listwatch/client";
import { connect } from "listwatch/node";
import { ChangeAges } from "./change-ages.ts";
import { Connections } from "./connections.ts";
import { Demonstrations } from "./demonstrations.ts";
import { discoveringListerWatcher } from "./discovering-lister-watcher.ts";
import { GuestWorkload } from "./guest-workload.ts";
import { faultKeys } from "./keys.ts";
import { eventLine, noticeLine, summaryLines } from "./line-view.ts";
import { LiveView } from "./live-view.ts";
import { LocalCluster } from "./local-cluster.ts";
import { Terminal } from "./terminal.ts";
import { Session } from "./session.ts";
import { readToken, type DemoArguments } from "./arguments.ts";

// Often enough to see a recovery soon, and seldom enough to cost nothing.
const sampleMs = 100;

/** Aborts on Ctrl-C, on a kill, when the reader of a pipe goes away, and after the given time. */
function stopController(seconds: number | undefined): AbortController {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort).once("SIGHUP", abort);
  process.stdout.on("error", abort);
  if (seconds !== undefined) setTimeout(abort, seconds * 1000).unref();
  return stop;
}

/**
 * The connection that was asked for; undefined for none, then the demo makes a cluster of its own.
 *
 * @throws {ConfigError} if the kubeconfig has no such context
 */
async function givenConnection(options: DemoArguments): Promise<Connection | undefined> {
  const { context, server, tokenFile } = options;
  if (context !== undefined) return connect({ context, program: "listwatch-demo" });
  if (server === undefined) return undefined;
  const headers = (): Record<string, string> =>
    tokenFile === undefined ? {} : { authorization: `Bearer ${readToken(tokenFile)}` };
  return createConnection({ server, headers });
}

/** Deletes what the demo has made on a cluster that is not its own. */
async function leave(guest: GuestWorkload | undefined, terminal: Terminal): Promise<void> {
  if (guest === undefined) return;
  const { namespace } = guest;
  try {
    if (await guest.remove()) terminal.print(`Deleted the namespace ${namespace}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.printError(`The namespace ${namespace} may be left behind: ${reason}`);
    process.exitCode = 1;
  }
}

/** Runs the demo until a signal, a key or the given time ends it. */
export async function runDemo(options: DemoArguments): Promise<void> {
  const { env: environment, stdin: input, stdout: output, stderr: errors } = process;
  const terminal = new Terminal({ environment, input, output, errors });
  const stop = stopController(options.seconds);
  const ages = new ChangeAges();
  const given = await givenConnection(options);
  let own: LocalCluster | undefined;
  try {
    if (given === undefined) own = await LocalCluster.start(options.seed, ages, stop.signal);
  } catch (error) {
    // The user ended it meanwhile, which is no failure.
    if (stop.signal.aborted) return;
    throw error;
  }
  const connection = given ?? createConnection({ server: own?.url ?? "" });
  const connections = new Connections(connection.fetch);
  const session = createSession(options, { connection, connections, terminal, ages });
  // Where its pods would not be seen, the demo makes none.
  const seesPods = options.namespace === undefined && /^(po|pods?)$/i.test(options.resource);
  const { readOnly, seed } = options;
  const note = (text: string): void => session.note(text);
  const guest =
    given === undefined || readOnly || !seesPods
      ? undefined
      : new GuestWorkload(connection, { seed, note, ages });
  const { signal } = stop;
  const place = { session, connections, ages, own, guest, seesPods, signal };
  const end = show(terminal, session, new Demonstrations(place), stop);
  try {
    await Promise.all([session.run(signal), own?.run(signal), guest?.run(signal)]);
  } finally {
    stop.abort();
    end();
    await leave(guest, terminal);
  }
  terminal.print(summaryLines(session.snapshot()).join("\n"));
  if (session.hasListed || given === undefined) return;
  const { problem } = session;
  // A program that was ended while the first list arrived has reached its server.
  if (connections.hasAnswered && problem === undefined) return;
  const reason = connections.hasAnswered
    ? `could not be watched: ${problem}`
    : "has never answered";
  terminal.printError(`listwatch-demo: ${connection.server} ${reason}`);
  process.exitCode = 1;
}

/** Shows what happens, as a picture where that is possible; returns what ends it. */
function show(
  terminal: Terminal,
  session: Session,
  demonstrations: Demonstrations,
  stop: AbortController,
): () => void {
  const view = new LiveView({
    terminal,
    snapshot: () => session.snapshot(),
    actions: faultKeys(demonstrations),
    onQuit: () => stop.abort(),
  });
  // Whatever ends the program, the terminal is given back.
  process.once("exit", () => view.close());
  if (terminal.isInteractive) view.open();
  const sampling = setInterval(() => session.sample(), sampleMs);
  return () => {
    clearInterval(sampling);
    view.close();
  };
}

interface SessionParts {
  readonly connection: Connection;
  readonly connections: Connections;
  readonly terminal: Terminal;
  readonly ages: ChangeAges;
}

function createSession(
  { context, namespace, resource }: DemoArguments,
  { ages, connection, connections, terminal }: SessionParts,
): Session {
  const { server } = connection;
  const listerWatcher = (at: Connection) =>
    discoveringListerWatcher({ connection: at, resource, namespace });
  const print = (line: string): void => {
    if (!terminal.isInteractive) terminal.print(line);
  };
  return new Session({
    attempt: { server, context, resource, namespace },
    listerWatcher: listerWatcher({ ...connection, fetch: connections.fetch }),
    directListerWatcher: listerWatcher(connection),
    onEvent: (event, resourceVersion) => {
      ages.noteArrival(resourceVersion, event.atMs);
      print(eventLine(event));
    },
    onNotice: (notice) => print(noticeLine(notice)),
  });
}
