import { FairOrdering, lowPriority, PriorityQueue, WorkQueue } from "@listwatch/workqueue";

// Turns between namespaces: a noisy one holds up nobody.
const fair = new WorkQueue<string>({ ordering: new FairOrdering() });
for (const key of ["noisy/1", "noisy/2", "noisy/3", "quiet/1"]) fair.add(key);
fair.shutDown();
for await (const key of fair) console.log("fair", key);

// Priorities: what just changed overtakes what was there before.
const urgent = new PriorityQueue<string>();
urgent.add("shop/old", { priority: lowPriority });
urgent.add("shop/older", { priority: lowPriority });
urgent.add("shop/new");
urgent.add("shop/older"); // Raised.
urgent.shutDown();
for await (const key of urgent) console.log("priority", key);
