// An operator with two replicas: the leader is killed in the middle of its work, and the other
// replica completes the work.
import * as cluster from "./operator/cluster.ts";

const { startReplica, state, until } = cluster;
const first = startReplica("replica-1");
await first.leading;
await cluster.createGreeting("team", ["ann", "bob"]);
await until(() => state.greeted === 2 && state.messages.length === 2);
console.log("replica-1:", state.messages.join(" "));

const second = startReplica("replica-2");
const killed = first.killAfter(1);
await cluster.greet("team", ["ann", "cyd", "dan", "eve"]);
await killed;
console.log("killed replica-1; written so far:", state.greeted);

await second.leading;
await until(() => state.greeted === 4 && !state.messages.includes("Hello, bob!"));
console.log("replica-2:", state.messages.join(" "));
await second.stop();

const third = startReplica("replica-3");
await third.leading;
await cluster.deleteGreeting("team");
await until(() => state.greetings === 0 && state.messages.length === 0);
console.log("cleaned up before the greeting was gone");
await third.stop();
console.log("events:", (await cluster.eventReasons()).join(", "));
await cluster.close();
