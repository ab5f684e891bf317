// A Heap delivers the least object first, and finds every object by its key. It is the basis of a
// queue of work that is due at certain times.
import { Heap, ListwatchError, QueueClosedError } from "listwatch";

interface Task {
  readonly name: string;
  readonly dueMs: number;
}

const tasks = new Heap({
  keyFunc: (task: Task) => task.name,
  less: (a, b) => a.dueMs < b.dueMs,
});

tasks.add({ name: "backup", dueMs: 300 });
// Adds many at once, before a waiting consumer receives one.
tasks.bulkAdd([
  { name: "mail", dueMs: 200 },
  { name: "report", dueMs: 400 },
  { name: "sweep", dueMs: 100 },
]);
// An update moves a known key to its new position; addIfNotPresent ignores it.
tasks.update({ name: "report", dueMs: 50 });
tasks.addIfNotPresent({ name: "sweep", dueMs: 1 });
console.log("sweep is due at", tasks.getByKey("sweep")?.dueMs);

tasks.delete({ name: "mail", dueMs: 0 });
try {
  tasks.delete({ name: "mail", dueMs: 0 });
} catch (error) {
  if (!(error instanceof ListwatchError && error.code === "LW_KEY_NOT_FOUND")) throw error;
  console.log(error.message);
}

while (tasks.length > 0) {
  const task = await tasks.pop();
  console.log(task.dueMs, task.name);
}

// A pop of an empty heap waits. Closing ends the wait, and refuses later calls.
const waiting = Promise.resolve(tasks.pop());
tasks.close();
await waiting.catch((error: unknown) => {
  if (error instanceof QueueClosedError) console.log(error.message);
});
