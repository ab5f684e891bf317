// Plain JavaScript with the installed package, no test runner or types.
import { knownMetrics, PrometheusRegistry } from "@listwatch/telemetry";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const registry = new PrometheusRegistry();
registry
  .gauge({ name: "workqueue_depth", labels: ["name"] })("pods")
  .set(2);
const text = registry.write();
if (!text.endsWith('workqueue_depth{name="pods"} 2\n')) fail(text);
if (knownMetrics.length < 20) fail("metrics are missing");
console.log("ok");
