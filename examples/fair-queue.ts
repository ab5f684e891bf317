import { FairOrdering, lowPriority, PriorityOrdering, WorkQueue } from "listwatch";

// Turns between namespaces: a noisy one does not hold up the others.
const fair = new WorkQueue<string>({ ordering: new FairOrdering() });
for (const name of ["1", "2", "3"]) fair.add(`noisy/${name}`);
fair.add("quiet/1");
fair.shutDown();
for await (const key of fair) console.log("fair", key);

// Priorities: recent changes overtake older items.
const urgent = new WorkQueue<string>({ ordering: new PriorityOrdering() });
urgent.add("shop/old", { priority: lowPriority });
urgent.add("shop/older", { priority: lowPriority });
urgent.add("shop/new");
urgent.add("shop/older"); // Raised.
urgent.shutDown();
for await (const key of urgent) console.log("priority", key);
