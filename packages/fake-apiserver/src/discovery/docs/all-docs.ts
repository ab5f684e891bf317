import { clusterDocs } from "./cluster.ts";
import { coreDocs } from "./core.ts";
import { metaDocs } from "./meta.ts";
import { podDocs } from "./pod.ts";
import type { TypeDocs } from "./type-doc.ts";
import { workloadDocs } from "./workload.ts";

/** All documented types. */
export const typeDocs: TypeDocs = {
  ...metaDocs,
  ...coreDocs,
  ...podDocs,
  ...workloadDocs,
  ...clusterDocs,
};
