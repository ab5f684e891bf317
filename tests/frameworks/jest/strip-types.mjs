import { stripTypeScriptTypes } from "node:module";

/** Lets Jest read TypeScript as Node does. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
