import { parseArgs } from "node:util";
import { nearestName } from "@listwatch/core-fifo/base";
import { type ControllerName, controllerNames } from "../controllers/controller-name.ts";
import { isLoopback } from "./origin-guard.ts";

// The port that kubectl uses without a kubeconfig.
const defaultPort = 8080;

const description = `An in-memory Kubernetes API server.

  --port N           port to listen on, 0 = any free one (default ${defaultPort})
  --host ADDRESS     address to listen on (default 127.0.0.1)
  --allow-host NAME  a host name to accept in addition to those of the loopback address; may be
                     repeated
  --cors ORIGIN      an origin whose web pages may use the server, * for all; may be repeated
  --kubeconfig PATH  file for a kubeconfig (default: in a new temporary folder); a link, or a file
                     that another program wrote, is never overwritten: the server does not start
  --tls              serve HTTPS with certificates created at the start; the kubeconfig has one for
                     the user kubernetes-admin
  --token TOKEN      refuse requests without this bearer token or a client certificate; kubectl
                     sends it only over TLS
  --authorization-mode MODE
                     AlwaysAllow: everything is allowed (default); RBAC: roles and bindings decide
  --load PATH        load the objects of a YAML or JSON file, or of all such files in a folder, such
                     as one of kubectl cluster-info dump; those of a dump keep uids, times and
                     status, others are created; may be repeated
  --load-errors MODE fail: report all objects that cannot be loaded, and do not start (default);
                     warn: report them, and start without them
  --load-now         make the creation times of loaded objects those of the load
  --replay FILE      play a recording of "listwatch record"
  --at MOMENT        moment of the recording to begin with: +3m12s, or a time (default +0s)
  --speed N          speed of the replay (default 1)
  --replay-writes MODE
                     refuse: writes of clients are answered with 405 (default); apply: they count,
                     and recorded changes of the same objects are left out with a line
  --service-cidr RANGE
                     addresses of services (default 10.0.0.0/24); one of each family, the default
                     family first, separated by a comma or repeated
  --service-node-port-range RANGE
                     node ports of services (default 30000-32767)
  --webhooks MODE    call: webhooks of stored configurations are called (default); ignore: they are
                     only stored
  --webhook-service NAMESPACE/NAME=URL
                     address of a webhook's service on this machine; may be repeated
  --crd FILE         create the CustomResourceDefinitions of a file; may be repeated
  --namespaces MODE  strict: objects in namespaces that do not exist are refused (default);
                     permissive: they are accepted
  --bootstrap MODE   full: the objects that a real server creates, such as the service kubernetes
                     and the cluster roles (default); namespaces: only the four namespaces
  --seed TEXT        uids and generated names repeat from run to run
  --validation MODE  full: built-in objects are validated as by a real server (default);
                     off: only their metadata
  --control          serve the server control for tests under /__control/
  --allow-remote-control
                     serve it to other machines too; requests need the token that is printed at
                     the start
  --controllers[=LIST]
                     simulate the controllers of a cluster: all, or those of a list such as
                     deployments,replicasets; pods start and are ready
  --state FILE       load the state in a file, if it exists, in place of --load and --crd; write the
                     state to it at the end
  --ready-file FILE  write url and kubeconfig as JSON to a file when the server is ready; removed at
                     the end
  --request-log FILE write a line of JSON for each request
  -- COMMAND [ARGUMENT...]
                     run a command with KUBECONFIG set, on a free port unless --port is given; ends
                     with its exit code
  --json             print url, kubeconfig, the number of loaded objects and the control token as
                     one line of JSON
  --help             show this text`;

/** Returns the text of `--help`. */
export function usageOf(name: string): string {
  return `Usage: ${name} [options]\n\n${description}`;
}

/** A mistake in the command line. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The options of the command. */
export interface CommandOptions {
  readonly help: boolean;
  readonly port: number;
  readonly host: string;
  readonly "allow-host": readonly string[];
  readonly cors: readonly string[];
  readonly kubeconfig?: string | undefined;
  readonly tls: boolean;
  readonly token?: string | undefined;
  readonly authorization: "rbac" | undefined;
  readonly load: readonly string[];
  readonly "load-errors": "fail" | "warn";
  readonly "load-now": boolean;
  readonly replay?: string | undefined;
  readonly at?: string | undefined;
  readonly speed: number;
  readonly "replay-writes": "apply" | "refuse";
  readonly "service-cidr"?: readonly string[] | undefined;
  readonly "service-node-port-range"?: string | undefined;
  readonly webhooks: "call" | "ignore";
  readonly "webhook-service": Readonly<Record<string, string>>;
  readonly crd: readonly string[];
  readonly namespaces: "permissive" | "strict";
  readonly bootstrap: "full" | "namespaces";
  readonly seed?: string | undefined;
  readonly validation: "full" | "off";
  readonly control: boolean;
  readonly "allow-remote-control": boolean;
  readonly json: boolean;
  readonly controllers: readonly ControllerName[];
  readonly state?: string | undefined;
  readonly "ready-file"?: string | undefined;
  readonly "request-log"?: string | undefined;
  /** A program and its arguments; empty to run until Ctrl-C. */
  readonly command: readonly string[];
}

/** Reads the arguments of the command. @throws {UsageError} */
export function readArguments(args: readonly string[]): CommandOptions {
  try {
    const { command, own } = splitCommand(args);
    const { values } = parseArgs({
      args: own,
      options: {
        port: { type: "string", default: String(command.length > 0 ? 0 : defaultPort) },
        controllers: { type: "string" },
        state: { type: "string" },
        "ready-file": { type: "string" },
        "request-log": { type: "string" },
        host: { type: "string", default: "127.0.0.1" },
        kubeconfig: { type: "string" },
        tls: { type: "boolean", default: false },
        token: { type: "string" },
        "authorization-mode": { type: "string", default: "AlwaysAllow" },
        load: { type: "string", multiple: true, default: [] },
        "load-errors": { type: "string", default: "fail" },
        "load-now": { type: "boolean", default: false },
        replay: { type: "string" },
        at: { type: "string" },
        speed: { type: "string" },
        "replay-writes": { type: "string" },
        "service-cidr": { type: "string", multiple: true },
        "service-node-port-range": { type: "string" },
        webhooks: { type: "string", default: "call" },
        "webhook-service": { type: "string", multiple: true, default: [] },
        crd: { type: "string", multiple: true, default: [] },
        namespaces: { type: "string", default: "strict" },
        bootstrap: { type: "string", default: "full" },
        seed: { type: "string" },
        validation: { type: "string", default: "full" },
        control: { type: "boolean", default: false },
        "allow-remote-control": { type: "boolean", default: false },
        "allow-host": { type: "string", multiple: true, default: [] },
        cors: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    });
    const port = Number(values.port);
    if (!/^\d+$/.test(values.port) || port > 65535) {
      throw new UsageError(`Expected --port from 0 to 65535, got ${values.port}`);
    }
    if (values.token !== undefined && !/^\S+$/.test(values.token)) {
      throw new UsageError("Expected --token with a text without white space");
    }
    checkControl(values.host, values.control, values["allow-remote-control"]);
    const namespaces = readChoice("namespaces", values.namespaces, ["strict", "permissive"]);
    const validation = readChoice("validation", values.validation, ["full", "off"]);
    const bootstrap = readChoice("bootstrap", values.bootstrap, ["full", "namespaces"]);
    const loadErrors = readChoice("load-errors", values["load-errors"], ["fail", "warn"]);
    const replayWrites = readChoice("replay-writes", values["replay-writes"] ?? "refuse", [
      "refuse",
      "apply",
    ]);
    const speed = Number(values.speed ?? 1);
    if (!(speed > 0 && speed < Infinity)) {
      throw new UsageError(`Expected --speed with a positive number, got ${values.speed}`);
    }
    for (const option of ["at", "speed", "replay-writes"] as const) {
      if (values[option] === undefined || values.replay !== undefined) continue;
      throw new UsageError(`Expected --replay with --${option}`);
    }
    const mode = readChoice("authorization-mode", values["authorization-mode"], [
      "AlwaysAllow",
      "RBAC",
    ]);
    return {
      ...values,
      command,
      controllers: readControllerNames(values.controllers),
      port,
      "load-errors": loadErrors,
      webhooks: readChoice("webhooks", values.webhooks, ["call", "ignore"]),
      "webhook-service": readServices(values["webhook-service"]),
      "service-cidr": values["service-cidr"]?.flatMap((ranges) => ranges.split(",")),
      "replay-writes": replayWrites,
      speed,
      bootstrap,
      namespaces,
      validation,
      authorization: mode === "RBAC" ? "rbac" : undefined,
    };
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message.split("\n")[0]) : error;
  }
}

/** Separates the options from the command after `--`. */
function splitCommand(args: readonly string[]): {
  readonly own: string[];
  readonly command: readonly string[];
} {
  const end = args.indexOf("--");
  const command = end < 0 ? [] : args.slice(end + 1);
  if (end >= 0 && command.length === 0) throw new UsageError("Expected a command after --");
  const own = end < 0 ? args : args.slice(0, end);
  // The value of this option may be missing.
  return { command, own: own.map((arg) => (arg === "--controllers" ? "--controllers=all" : arg)) };
}

function readControllerNames(list: string | undefined): readonly ControllerName[] {
  if (list === undefined) return [];
  if (list === "all") return controllerNames;
  return list.split(",").map((name) => {
    const found = controllerNames.find((known) => known === name);
    if (found !== undefined) return found;
    const nearest = nearestName(name, controllerNames);
    const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
    const known = `all or some of ${controllerNames.join(",")}`;
    throw new UsageError(`Expected --controllers with ${known}, got ${name}${hint}`);
  });
}

/** Reads `NAMESPACE/NAME=URL` of each service. */
function readServices(texts: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, service, url = ""] = /^([^/=]+\/[^/=]+)=(.+)$/.exec(text) ?? [];
      if (service !== undefined && URL.canParse(url)) return [service, url];
      throw new UsageError(`Expected --webhook-service NAMESPACE/NAME=URL, got ${text}`);
    }),
  );
}

function readChoice<Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`Expected --${name} ${choices.join(" or ")}, got ${value}`);
}

function checkControl(host: string, control: boolean, allowsRemote: boolean): void {
  if (allowsRemote && !control) {
    throw new UsageError("Expected --control with --allow-remote-control");
  }
  if (control && !allowsRemote && !isLoopback(host)) {
    throw new UsageError(
      `Expected --allow-remote-control with --control on ${host}, which other machines can reach`,
    );
  }
}
