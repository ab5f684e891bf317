const codes = import.meta.glob<string>("../examples/*.example.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
const outputs = import.meta.glob<string>("../examples/*.example.txt", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The text of an example; the file is type-checked and run by the tests. */
export function exampleCode(name: string): string {
  return text(codes, `../examples/${name}.example.ts`);
}

/** What the example prints, as the tests assert it. */
export function exampleOutput(name: string): string {
  return text(outputs, `../examples/${name}.example.txt`);
}

function text(files: Readonly<Record<string, string>>, path: string): string {
  const content = files[path];
  if (content === undefined) throw new Error(`Couldn't show an example: there is no file ${path}`);
  return content.trimEnd();
}
