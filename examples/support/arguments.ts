/** The value of `--name VALUE` on the command line. A page has no command line. */
export function argument(name: string): string | undefined {
  const args = "process" in globalThis ? globalThis.process.argv.slice(2) : [];
  const at = args.indexOf(`--${name}`);
  if (at === -1) return undefined;
  const value = args[at + 1];
  if (value === undefined || value === "" || value.startsWith("--")) {
    throw new Error(`Cannot read the arguments: expected a value after --${name}, got none`);
  }
  return value;
}
