/**
 * Many collections over one stream of server-sent events to a page: `@listwatch/streams`.
 *
 * @module
 */
export * from "@listwatch/streams";
