// Figures of a program's start, from inside the program. `performance.now()` counts from the start
// of the process.
const wanted = Number(process.argv[2]);
const startedMs = performance.now();
let importMs = Number.NaN;

/** Records that the program has imported its library. */
export function importedAt(nowMs) {
  importMs = nowMs - startedMs;
}

/** Prints the figures and ends the program when its handler has received all objects. */
export function synced(count) {
  if (count !== wanted) return;
  const syncMs = performance.now();
  const { system, user } = process.cpuUsage();
  console.log(JSON.stringify({ importMs, syncMs, processorMs: (user + system) / 1000 }));
  process.exit();
}
