// Checks all credentials of kubeconfigs and pods against a real API server.
import { connect } from "listwatch/node";
import { checkCertificates } from "./credentials-certificates.ts";
import { checkRenewals } from "./credentials-renewal.ts";
import { checkTokens } from "./credentials-tokens.ts";
import { makeScene } from "./cluster.ts";

await using connection = await connect();
const scene = await makeScene(connection, "credentials");
await checkCertificates(scene);
await checkTokens(scene);
await checkRenewals(scene);
