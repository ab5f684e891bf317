import type { ListMeta } from "../resource/list-watch.ts";
import type { WireReader } from "../wire/wire-reader.ts";

/** The tags of apimachinery's ListMeta and ShardInfo, pkg/apis/meta/v1/generated.proto. */
const tags = {
  resourceVersion: 0x12,
  continue: 0x1a,
  remainingItemCount: 0x20,
  shardInfo: 0x2a,
} as const;
const selectorTag = 0x0a;

/** Reads the metadata of a list. @throws {WireError} if it is malformed */
export function readListMeta(reader: WireReader, end: number): ListMeta {
  const metadata: { -readonly [Name in keyof ListMeta]: ListMeta[Name] } = {};
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === tags.resourceVersion) {
      metadata.resourceVersion = reader.ownText(reader.delimitedEnd(end));
    } else if (tag === tags.continue) {
      const token = reader.ownText(reader.delimitedEnd(end));
      if (token !== "") metadata.continue = token;
    } else if (tag === tags.remainingItemCount) metadata.remainingItemCount = reader.varint();
    else if (tag === tags.shardInfo) {
      metadata.shardInfo = readShardInfo(reader, reader.delimitedEnd(end));
    } else reader.skip(tag, end);
  }
  reader.finish(end);
  return metadata;
}

function readShardInfo(reader: WireReader, end: number): { readonly selector: string } {
  let selector = "";
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === selectorTag) selector = reader.ownText(reader.delimitedEnd(end));
    else reader.skip(tag, end);
  }
  reader.finish(end);
  return { selector };
}
