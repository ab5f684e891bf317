/**
 * The codec for programs that name it, `encoding: "protobuf"`. The member `browser` of package.json
 * makes this file empty in pages: a bundle in one file would contain the decoder of each
 * `import()`.
 */
export { protobuf } from "./protobuf-codec.ts";
