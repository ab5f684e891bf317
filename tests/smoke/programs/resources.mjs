// Plain JavaScript with the installed package: a handle is data with the path of its resource.
import { deployments } from "@listwatch/resources/apps/v1";
import { pods } from "@listwatch/resources/core/v1";

const places = [pods, deployments].map(({ group, version, resource }) =>
  [group, version, resource].join("/"),
);
const found = places.join();
if (found !== "/v1/pods,apps/v1/deployments") throw new Error(`smoke: got ${found}`);
console.log("ok");
