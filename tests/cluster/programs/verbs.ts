// Every verb of @listwatch/client against a real API server.
import { connect } from "listwatch/node";
import { makeScene } from "./cluster.ts";
import { checkAccess } from "./verbs-access.ts";
import { checkApplies } from "./verbs-apply.ts";
import { checkDefinitions } from "./verbs-definitions.ts";
import { checkDeletes } from "./verbs-delete.ts";
import { checkPods } from "./verbs-pods.ts";
import { checkReads } from "./verbs-read.ts";
import { checkWrites } from "./verbs-write.ts";

await using connection = await connect();
const scene = await makeScene(connection, "verbs");
await checkWrites(scene);
await checkApplies(scene);
await checkReads(scene);
await checkDeletes(scene);
await checkPods(scene);
await checkDefinitions(scene);
await checkAccess(scene);
