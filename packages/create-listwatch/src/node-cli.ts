#!/usr/bin/env node
// The command `create-listwatch`, which `npm create listwatch` runs.
import { basename, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import {
  type Answers,
  checkGroup,
  checkKind,
  checkName,
  checkPlural,
  pluralOf,
  UsageError,
  type Words,
} from "./commands/answers.ts";
import {
  checkFolder,
  create,
  readTemplates,
  type Template,
  version,
} from "./commands/node-create.ts";

const defaultTemplate = "operator";

const options = {
  template: { type: "string" },
  kind: { type: "string" },
  plural: { type: "string" },
  group: { type: "string" },
  yes: { type: "boolean", short: "y" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

async function run(args: readonly string[]): Promise<void> {
  const templates = await readTemplates();
  const { positionals, values } = parse(args);
  if (values.help === true) return console.log(usage(templates));
  if (values.version === true) return console.log(await version());
  const isTemplate = values.template === undefined && templates.has(positionals[0] ?? "");
  const [named, folders] = isTemplate
    ? [positionals[0], positionals.slice(1)]
    : [values.template, positionals];
  const name = named ?? defaultTemplate;
  const template = templates.get(name);
  if (template === undefined) {
    const known = [...templates.keys()].join(" or ");
    throw new UsageError(`--template: expected ${known}, got "${name}"`);
  }
  if (folders.length > 1) throw new UsageError(`expected one folder, got ${folders.join(" ")}`);

  const { words } = template;
  const ask = createAsk(values.yes === true);
  try {
    const folder = resolve(folders[0] ?? (await ask("Folder", `my-${name}`, "a folder")));
    const program = checkName(basename(folder));
    await checkFolder(folder);
    const answers = await readAnswers(program, words, values, ask);
    const files = await create(folder, name, template, answers);
    const place = relative(process.cwd(), folder) || ".";
    console.log(`Wrote ${files.length} files to ${place}. Next:\n`);
    if (place !== ".") console.log(`  cd ${place}`);
    for (const command of template.next) console.log(`  ${command}`);
  } finally {
    ask.close();
  }
}

async function readAnswers(
  name: string,
  words: Words,
  values: ReturnType<typeof parse>["values"],
  ask: Ask,
): Promise<Answers> {
  if (words.kind === undefined) {
    const given = ["kind", "plural", "group"].find((option) => Object.hasOwn(values, option));
    if (given === undefined) return { name, kind: "", plural: "", group: "" };
    throw new UsageError(`--${given}: expected a template with a custom resource`);
  }
  const kind = checkKind(values.kind ?? (await ask("Kind", words.kind, "--kind")));
  const group = checkGroup(values.group ?? (await ask("API group", words.group, "--group")));
  return { name, kind, group, plural: checkPlural(values.plural ?? pluralOf(kind)) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // The first sentence describes the error; the rest is advice about "--".
    const [sentence = ""] = String(error instanceof Error ? error.message : error).split(". ");
    throw new UsageError(sentence, { cause: error });
  }
}

interface Ask {
  (question: string, byDefault: string, flag: string): Promise<string>;
  close(): void;
}

/** Asks on a terminal. With `--yes` each answer is the default. */
function createAsk(takesDefaults: boolean): Ask {
  const terminal = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: process.stderr })
    : undefined;
  // Keeps lines that are pasted before their question.
  const lines = terminal?.[Symbol.asyncIterator]();
  const ask = async (question: string, byDefault: string, flag: string): Promise<string> => {
    if (takesDefaults) return byDefault;
    if (terminal === undefined || lines === undefined) {
      throw new UsageError(`expected ${flag} or --yes, since there is no terminal to ask on`);
    }
    terminal.setPrompt(`${question} [${byDefault}]: `);
    terminal.prompt();
    const answer = await lines.next();
    if (answer.done !== true) return answer.value.trim() || byDefault;
    // Ctrl-C or Ctrl-D, behind the question.
    console.error();
    throw new UsageError(`expected ${flag}, got no answer`);
  };
  return Object.assign(ask, { close: () => terminal?.close() });
}

function usage(templates: ReadonlyMap<string, Template>): string {
  const lines = [...templates].map(([name, { about }]) => `  ${name.padEnd(20)} ${about}`);
  return `Usage: npm create listwatch [TEMPLATE] [FOLDER] -- [options]

Writes a project that passes its own tests into an empty folder. Asks for what is not given.

  FOLDER               a new or empty folder, whose name becomes that of the program

Templates (default: ${defaultTemplate}):
${lines.join("\n")}

Options:
  --template NAME      the same as TEMPLATE
  --kind NAME          kind of the custom resource (default: Greeting)
  --plural NAME        its plural (default: the English one, in lower case)
  --group NAME         API group of the custom resource (default: example.com)
  -y, --yes            ask nothing, and use the defaults
  --version            print the version
  -h, --help           show this text`;
}

/** Whether listwatch runs on this Node. The projects need 22.18, as their package.json says. */
function suitsListwatch(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return "withResolvers" in Promise && (major > 22 || (major === 22 && minor >= 9));
}

if (!suitsListwatch()) {
  console.error(`Cannot load listwatch: expected Node 22.9 or newer, got ${process.version}`);
  process.exit(1);
}
try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`create-listwatch: ${error.message}`);
  process.exitCode = 2;
}
