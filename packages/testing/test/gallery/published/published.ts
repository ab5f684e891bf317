import { replicator } from "./replicator.ts";
import type { Published } from "./tools.ts";
import { tsOperator } from "./ts-operator.ts";
import { workloads } from "./workloads.ts";

/** Operators of public repositories, rewritten small. */
export const published: readonly Published[] = [tsOperator, workloads, replicator];
