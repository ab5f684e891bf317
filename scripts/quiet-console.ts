/**
 * A set-up file of vitest: a test that prints fails, so that what a program would print unasked is
 * seen. A test that expects lines takes the method of the console itself, as with `vi.spyOn` and
 * `mockImplementation`.
 */
import { afterAll, afterEach } from "vitest";

const lines: string[] = [];

/** Deno's own, once in each process that serves; it is about a flag that no program here needs. */
const notice = "Deno.serve: request.signal aborts on successful responses";

for (const method of ["debug", "error", "info", "log", "warn"] as const) {
  console[method] = (...values: readonly unknown[]) => {
    const line = values.map(show).join(" ");
    if (!line.startsWith(notice)) lines.push(`console.${method}: ${line}`);
  };
}

function show(value: unknown): string {
  if (typeof value === "string" || value instanceof Error) return String(value);
  try {
    return JSON.stringify(value);
  } catch {
    return String(value);
  }
}

function expectQuiet(): void {
  const printed = lines.splice(0);
  if (printed.length > 0) {
    throw new Error(`expected nothing on the console, got\n${printed.join("\n")}`);
  }
}

afterEach(expectQuiet);
afterAll(expectQuiet);
