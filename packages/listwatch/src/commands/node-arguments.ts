import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./node-usage-error.ts";

/** Options of all commands that connect to a cluster. */
export const clusterOptions = {
  context: { type: "string" },
  server: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Usage text of these options. */
export const clusterUsage = `\
  --context NAME         context of the kubeconfig (default: its current one)
  --server URL           an API server that requires no credentials, such as kubectl proxy
  --help                 show this text`;

type OptionsOfCommand = NonNullable<ParseArgsConfig["options"]>;
/** Parsed command line. */
type Parsed<Options extends OptionsOfCommand> = ReturnType<
  typeof parseArgs<{ readonly allowPositionals: true; readonly options: Options }>
>;

/** Syntax of a command. */
export interface CommandSyntax<Options extends OptionsOfCommand> {
  readonly options: Options;
  readonly usage: string;
  /** Description of its positional arguments. @default "no arguments" */
  readonly expected?: string | undefined;
  /** Minimum number of positional arguments. @default 0 */
  readonly least?: number | undefined;
  /** Maximum number of positional arguments. @default 0 */
  readonly most?: number | undefined;
}

/**
 * Parses the arguments of a command. Returns `undefined` after printing the usage on request.
 *
 * @throws {UsageError} for an unknown option, a wrong number of arguments, and two options that
 *   exclude each other
 */
export function parseCommand<Options extends OptionsOfCommand>(
  args: readonly string[],
  syntax: CommandSyntax<Options>,
): Parsed<Options> | undefined {
  const { expected = "no arguments", least = 0, most = 0, options, usage } = syntax;
  const parsed = parse(args, syntax);
  const { positionals, values } = parsed;
  if (isSet(values, "help")) {
    console.log(usage);
    return undefined;
  }
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`expected ${expected}, got ${positionals.length} arguments`, usage);
  }
  for (const pair of exclusive) {
    if (!pair.every((name) => name in options && isSet(values, name))) continue;
    throw new UsageError(`--${pair.join(" and --")}: expected one of them`, usage);
  }
  const namespace: unknown = Reflect.get(values, "namespace");
  if (typeof namespace === "string") checkName("--namespace", namespace, usage);
  return parsed;
}

/**
 * Checks a name before it is requested: an empty one would select all namespaces, or no object.
 *
 * @throws {UsageError} if it cannot be the name of an object
 */
export function checkName(what: string, name: string, usage: string): string {
  if (name !== "" && name !== "." && name !== ".." && !/[/%]/.test(name)) return name;
  throw new UsageError(`${what}: expected a name, got "${name}"`, usage);
}

const exclusive = [
  ["namespace", "all-namespaces"],
  ["context", "server"],
  ["output", "json"],
] as const;

function parse<Options extends OptionsOfCommand>(
  args: readonly string[],
  { options, usage }: CommandSyntax<Options>,
): Parsed<Options> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // The first sentence describes the error; the rest is advice about "--".
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    throw new UsageError(sentence, usage, { cause: error });
  }
}

function isSet(values: object, name: string): boolean {
  const value: unknown = Reflect.get(values, name);
  return value !== undefined && value !== false;
}
