/**
 * The decoder of Kubernetes' protobuf, for programs in one file: `@listwatch/client/protobuf`.
 *
 * @module
 */
export * from "@listwatch/client/protobuf";
