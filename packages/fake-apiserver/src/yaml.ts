/**
 * The reader of YAML that the server, `connect()` and `listwatch generate` share. For the packages
 * of listwatch only, whose versions move together.
 *
 * @module
 */
export { readYaml, type ReadYamlOptions } from "./input/read-yaml.ts";
