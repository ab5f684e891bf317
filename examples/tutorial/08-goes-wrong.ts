// A test that ends while its program goes on is a failed test, and names what is left.
import { testCluster } from "listwatch/testing";

const cluster = await testCluster();
cluster.run("forgetful", async (signal) => {
  cluster.clock.setTimeout(() => {}, 3_600_000); // Is never cancelled.
  if (!signal.aborted) await new Promise((resolve) => (signal.onabort = resolve));
});
await cluster.settle();
await cluster.stop().catch((error: Error) => console.log(`${error.name}: ${error.message}`));

const other = await testCluster();
const never = other.until(() => false, { timeoutMs: 60_000 });
await never.catch((error: Error) => console.log(`${error.name}: ${error.message.split("\n")[0]}`));
await other.stop();
