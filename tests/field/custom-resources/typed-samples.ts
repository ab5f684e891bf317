import { spawnSync } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import type { Handle } from "./custom-resources.ts";

/** An object of a released file. */
export interface Sample {
  readonly project: string;
  readonly file: string;
  readonly handle: Handle;
  readonly object: Readonly<Record<string, unknown>>;
}

/** A program with samples, and the first line of each. */
export interface SampleProgram {
  readonly text: string;
  readonly lines: readonly number[];
}

const root = join(import.meta.dirname, "../../..");

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  target: "es2023",
  lib: ["es2024", "esnext.disposable", "webworker"],
  module: "nodenext",
  customConditions: ["@listwatch/source"],
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  types: [],
  noEmit: true,
};

/**
 * Returns a program that creates and applies each sample, as a user writes it: with the object in
 * place. An apply needs a name, and a namespace if the resource has them.
 */
export function programOf(samples: readonly Sample[]): SampleProgram {
  const modules = [...new Set(samples.map(({ handle }) => handle.module))].toSorted();
  const parts = [
    'import type { Client } from "@listwatch/client";',
    ...modules.map((module, index) => `import * as m${index} from "./${module}";`),
    "declare const client: Client;",
  ];
  const lines: number[] = [];
  let line = parts.length + 1;
  for (const { handle, object } of samples) {
    const name = `m${modules.indexOf(handle.module)}.${handle.name}`;
    const call = `void client.resource(${name})`;
    const isNamespaced = handle.resource.scope === "Namespaced";
    const { namespace, ...metadata } = recordOf(object["metadata"]);
    // The server ignores the namespace of an object without one.
    const own = isNamespaced && namespace !== undefined ? { ...metadata, namespace } : metadata;
    const named = { name: "sample", ...metadata, ...(isNamespaced && { namespace: "default" }) };
    const text = `${call}.create(${literalOf({ ...object, metadata: own })});
${call}.apply(${literalOf({ ...object, metadata: named })});`;
    lines.push(line);
    line += text.split("\n").length;
    parts.push(text);
  }
  return { text: `${parts.join("\n")}\n`, lines };
}

/**
 * Leaves out each null that the server did not store. Such a member is empty in YAML, and a program
 * does not have it.
 */
export function withoutIgnoredNulls(value: unknown, stored: unknown): unknown {
  if (Array.isArray(value)) {
    const kept: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return value.map((element: unknown, index) => withoutIgnoredNulls(element, kept[index]));
  }
  if (!isRecord(value)) return value;
  const kept = recordOf(stored);
  const members = Object.entries(value)
    .filter(([key, member]) => member !== null || kept[key] === null)
    .map(([key, member]) => [key, withoutIgnoredNulls(member, kept[key])] as const);
  return Object.fromEntries(members);
}

/** Returns a JSON value as a literal, a member in each line. */
export function literalOf(value: unknown, indent = ""): string {
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(([key, member]) => {
    // Without brackets, it would set the prototype.
    const name = key === "__proto__" ? '["__proto__"]' : JSON.stringify(key);
    return `${inner}${isList ? "" : `${name}: `}${literalOf(member, inner)},\n`;
  });
  const [open, close] = isList ? "[]" : "{}";
  return members.length === 0 ? `${open}${close}` : `${open}\n${members.join("")}${indent}${close}`;
}

/** Compiles programs by file, and returns the errors of each sample. */
export function compile(
  folder: string,
  programs: ReadonlyMap<string, readonly Sample[]>,
): Map<Sample, readonly string[]> {
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  // Types without a sample must compile as well.
  const config = { compilerOptions, include: ["*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const lines = new Map<string, readonly number[]>();
  for (const [file, samples] of programs) {
    const program = programOf(samples);
    writeFileSync(join(folder, file), program.text);
    lines.set(file, program.lines);
  }
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const args = [compiler, "-p", folder, "--pretty", "false"];
  const { stderr, stdout } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (stderr !== "") throw new Error(stderr);
  const errors = new Map<Sample, readonly string[]>();
  for (const { file, line, message } of readErrors(stdout)) {
    const index = (lines.get(file) ?? []).findLastIndex((first) => first <= line);
    const sample = programs.get(file)?.[index];
    if (sample === undefined) throw new Error(`Cannot compile ${file}:${line}: ${message}`);
    const others = errors.get(sample) ?? [];
    if (!others.includes(message)) errors.set(sample, [...others, message]);
  }
  return errors;
}

/** Reads the output of the compiler; lines that begin with a space continue a message. */
export function readErrors(
  output: string,
): { readonly file: string; readonly line: number; readonly message: string }[] {
  return output
    .split(/\n(?=\S)/)
    .filter((text) => text.trim() !== "")
    .map((text) => {
      const [, file, line, message] = /^(.+)\((\d+),\d+\): error (.*)$/s.exec(text) ?? [];
      if (file === undefined || message === undefined) throw new Error(text);
      return { file, line: Number(line), message: message.trimEnd() };
    });
}
