import { SharedInformerFactory } from "listwatch";
import { connect } from "listwatch/node";
import { pods } from "listwatch/resources/core/v1";

async function printPods(): Promise<void> {
  await using connection = await connect();
  const stop = new AbortController();
  const informer = new SharedInformerFactory({ connection }).informer(pods);
  const ended = informer.run(stop.signal);
  await informer.synced;
  console.log(informer.store.listKeys().join());
  stop.abort();
  await ended;
}

// Without `await`, which a CommonJS bundle does not allow at the top level.
void printPods();
