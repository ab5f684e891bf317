import { stripTypeScriptTypes } from "node:module";

/** Lets Jest read TypeScript like Node. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
