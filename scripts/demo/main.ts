/** The demo, `npm start`: an informer on a cluster, live. `npm start -- --help` tells the rest. */
import {
  ArgumentError,
  parseArguments,
  readToken,
  usage,
  type DemoArguments,
} from "./arguments.ts";
import { Connections } from "./connections.ts";
import { discoveringListerWatcher } from "./discovering-lister-watcher.ts";
import { eventLine, noticeLine, summaryLines } from "./line-view.ts";
import { LiveView, type KeyAction } from "./live-view.ts";
import { LocalCluster } from "./local-cluster.ts";
import { Session } from "./session.ts";
import { Terminal } from "./terminal.ts";

// Often enough to see a recovery soon, and seldom enough to cost nothing.
const sampleMs = 100;

/**
 * The arguments; undefined if there is nothing to run, because help was asked for or they cannot be
 * used.
 */
function readArguments(): DemoArguments | undefined {
  try {
    const parsed = parseArguments(process.argv.slice(2));
    if (parsed === undefined) console.log(usage);
    return parsed;
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

/** Aborts on Ctrl-C, on a kill, when the reader of a pipe goes away, and after the given time. */
function stopController(seconds: number | undefined): AbortController {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once("SIGINT", abort).once("SIGTERM", abort).once("SIGHUP", abort);
  process.stdout.on("error", abort);
  if (seconds !== undefined) setTimeout(abort, seconds * 1000).unref();
  return stop;
}

/** The keys of the view; a server that is not ours can only be left alone. */
function keyActions(
  cluster: LocalCluster | undefined,
  connections: Connections,
  session: Session,
  stop: AbortController,
): KeyAction[] {
  const key = (name: string, label: string, act: () => string): KeyAction => {
    return { key: name, label, run: () => session.note(`${act()} (key ${name})`) };
  };
  const drop = "drop the connection";
  return [
    ...(cluster === undefined
      ? [key("d", drop, () => connections.drop())]
      : [
          key("d", drop, () => cluster.dropConnections()),
          key("c", "compact history", () => cluster.compactHistory()),
          key("b", "burst", () => cluster.burst(stop.signal)),
        ]),
    { key: "q", label: "quit", run: () => stop.abort() },
  ];
}

async function run(options: DemoArguments): Promise<void> {
  const stop = stopController(options.seconds);
  let cluster: LocalCluster | undefined;
  try {
    if (options.server === undefined) {
      cluster = await LocalCluster.start(options.seed, stop.signal);
    }
  } catch (error) {
    // The user ended it meanwhile, which is no failure.
    if (stop.signal.aborted) return;
    throw error;
  }
  const server = cluster?.url ?? options.server ?? "";
  const { resource, namespace, tokenFile } = options;
  const connections = new Connections();
  const live = process.stdin.isTTY && process.stdout.isTTY && process.env["TERM"] !== "dumb";
  const print = (line: string): void => {
    if (!live) console.log(line);
  };
  const session = new Session({
    attempt: { server, resource, namespace },
    listerWatcher: discoveringListerWatcher({
      server,
      resource,
      namespace,
      fetch: connections.fetch,
      headers: (): Record<string, string> =>
        tokenFile === undefined ? {} : { authorization: `Bearer ${readToken(tokenFile)}` },
    }),
    onEvent: (event) => print(eventLine(event)),
    onNotice: (notice) => print(noticeLine(notice)),
  });
  const view = new LiveView({
    terminal: new Terminal(process.stdin, process.stdout),
    snapshot: () => session.snapshot(),
    actions: keyActions(cluster, connections, session, stop),
    color: (process.env["NO_COLOR"] ?? "") === "",
    onInterrupt: () => stop.abort(),
  });
  // Whatever ends the program, the terminal is given back.
  process.once("exit", () => view.close());
  if (live) view.open();
  session.note(`Watching ${resource} at ${server}`);
  const sampling = setInterval(() => session.sample(), sampleMs);
  try {
    await Promise.all([session.run(stop.signal), cluster?.run(stop.signal)]);
  } finally {
    stop.abort();
    clearInterval(sampling);
    view.close();
  }
  console.log(summaryLines(session.snapshot()).join("\n"));
}

const options = readArguments();
if (options !== undefined) await run(options);
