import { type BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { compareBytes } from "../base/go-text.ts";
import { memberOf } from "../base/read-fields.ts";
import type { FieldPlan, MessagePlan, ValuePlan } from "./message-plan.ts";

/** Writes an object's fields like Go: in order of their numbers, including zero values. */
export function writeFields(writer: BinaryWriter, plan: MessagePlan, object: JsonObject): void {
  for (const field of plan.fields) {
    const { name, number, shape, value } = field;
    const given = shape === "inline" ? object : (object[name] ?? undefined);
    if (shape === "list") {
      if (!Array.isArray(given)) continue;
      for (const item of given) writeValue(writer, number, value, item);
    } else if (shape === "map") {
      writeMap(writer, field, recordOf(given));
    } else if (given !== undefined || field.always) {
      writeValue(writer, number, value, given);
    }
  }
}

// Go sorts keys, so that equal objects have equal bytes.
function writeMap(writer: BinaryWriter, { number, value }: FieldPlan, map: JsonObject): void {
  for (const key of Object.keys(map).toSorted(compareBytes)) {
    writeValue(writer, number, value, { key, value: memberOf(map, key) });
  }
}

function writeValue(writer: BinaryWriter, number: number, value: ValuePlan, given: unknown): void {
  if (value.kind === "scalar") {
    writer.tag(number, value.codec.wireType);
    value.codec.write(writer, given);
    return;
  }
  writer.tag(number, WireType.LengthDelimited).fork();
  switch (value.kind) {
    case "json":
      if (given !== undefined) {
        writer.tag(1, WireType.LengthDelimited).string(JSON.stringify(given));
      }
      break;
    case "special":
      writeFields(writer, value.plan, value.form.fromJson(given ?? undefined));
      break;
    case "wrapped":
      writeFields(writer, value.plan, { items: given });
      break;
    case "message":
      writeFields(writer, value.plan, isRecord(given) ? given : {});
  }
  writer.join();
}
