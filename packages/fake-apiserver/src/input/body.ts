import { joinBytes } from "../base/bytes.ts";
import { untilAborted } from "@listwatch/core-fifo/base";
import { tooLarge, unsupportedMediaType } from "../api/errors.ts";

// k8s.io/apiserver `MaxRequestBodyBytes`.
const bodyLimit = 3_145_728;

const utf8 = new TextDecoder();

/** Formats of objects in bodies. */
export type BodyFormat = "json" | "yaml";

const objectTypes: readonly string[] = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
];

/** The body of a request that may hold an object. */
export class RequestBody {
  /** The media type without parameters, "" when the request names none. */
  readonly type: string;
  readonly #request: Request;
  readonly #onText: (text: string) => void;

  /** @param onText called with the text once it has been read */
  constructor(request: Request, onText: (text: string) => void) {
    const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
    this.type = type.trim().toLowerCase();
    this.#request = request;
    this.#onText = onText;
  }

  /**
   * The format of a body that holds an object. A body without a type is JSON.
   *
   * @throws {ApiError} 415
   */
  format(): BodyFormat {
    if (this.type === "" || this.type === "application/json") return "json";
    if (this.type === "application/yaml") return "yaml";
    throw unsupportedMediaType(objectTypes);
  }

  /**
   * Reads the whole body as text.
   *
   * @throws {ApiError} 413 above 3 MiB, without reading on
   */
  async text(): Promise<string> {
    const text = await readText(this.#request);
    this.#onText(text);
    return text;
  }
}

async function readText(request: Request): Promise<string> {
  if (request.body === null) return "";
  const announced = Number(request.headers.get("content-length") ?? Number.NaN);
  if (announced > bodyLimit) throw tooLarge(bodyLimit);
  if (announced <= bodyLimit) return untilAborted(request.text(), request.signal);
  const reader = request.body.getReader();
  try {
    return await untilAborted(readAll(reader), request.signal);
  } catch (error) {
    // What comes later is not waited for; a body that has failed cannot be cancelled any more.
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > bodyLimit) throw tooLarge(bodyLimit);
    chunks.push(next.value);
  }
  // In one go: a streaming decoder gives strings of two bytes a character, which take twice the
  // time to parse.
  return utf8.decode(joinBytes(chunks, size));
}
