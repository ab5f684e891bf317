const folder = "../../../../examples";
const codes = import.meta.glob<string>(
  ["../../../../examples/*.ts", "../../../../examples/{build-your-own,testing,tutorial}/*.ts"],
  { query: "?raw", import: "default", eager: true },
);
const outputs = import.meta.glob<string>(
  ["../../../../examples/*.out", "../../../../examples/{build-your-own,testing,tutorial}/*.out"],
  { query: "?raw", import: "default", eager: true },
);

/** The text of an example: a file of `examples/`, which CI runs on every runtime. */
export function exampleCode(name: string): string {
  return text(codes, `${folder}/${name}.ts`);
}

/** Output of the example: the file `.out` next to it. */
export function exampleOutput(name: string): string {
  return text(outputs, `${folder}/${name}.out`);
}

function text(files: Readonly<Record<string, string>>, path: string): string {
  const content = files[path];
  if (content === undefined) throw new Error(`Couldn't show an example: there is no file ${path}`);
  return content.trimEnd();
}
