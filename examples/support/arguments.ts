/** The value of `--name VALUE` on the command line. A page has no command line. */
export function argument(name: string): string | undefined {
  const args = "process" in globalThis ? globalThis.process.argv.slice(2) : [];
  const at = args.indexOf(`--${name}`);
  return at === -1 ? undefined : args[at + 1];
}
