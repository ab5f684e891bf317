import { metaDocs } from "./meta.ts";
import type { TypeDocs } from "./type-doc.ts";

/** All documented types. */
export const typeDocs: TypeDocs = { ...metaDocs };
