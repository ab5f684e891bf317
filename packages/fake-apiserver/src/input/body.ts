import { joinBytes } from "../base/bytes.ts";
import { type JsonObject, untilAborted } from "@listwatch/core-fifo/base";
import { tooLarge, unsupportedMediaType } from "../api/errors.ts";

const utf8 = new TextDecoder();

/** Formats of the objects in bodies. */
export type BodyFormat = "json" | "yaml" | "protobuf";

const formats: ReadonlyMap<string, BodyFormat> = new Map([
  // A body without a type is JSON.
  ["", "json"],
  ["application/json", "json"],
  ["application/yaml", "yaml"],
  ["application/vnd.kubernetes.protobuf", "protobuf"],
]);
const objectTypes = [...formats.keys()].filter((type) => type !== "");

/** A body of a media type that holds no object. */
export function unsupportedBody(): Error {
  return unsupportedMediaType(objectTypes);
}

/** Type of an object that does not contain it. */
export interface ExpectedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** How a body is read. */
export interface RequestBodyOptions {
  /** Bytes that it may have. */
  readonly limit: number;
  /** Called with the text once it has been read, for protobuf with that of its object. */
  onText(text: string): void;
  /**
   * Reads the object in a body in protobuf.
   *
   * @throws {MalformedBodyError} for bytes that are none
   */
  readProtobuf(bytes: Uint8Array, expected: ExpectedKind): Promise<JsonObject>;
}

/** The body of a request that may hold an object. */
export class RequestBody {
  /** The media type without parameters, "" when the request names none. */
  readonly type: string;
  readonly #request: Request;
  readonly #options: RequestBodyOptions;
  #prepare: (text: string) => Promise<void> | undefined = () => undefined;

  constructor(request: Request, options: RequestBodyOptions) {
    this.type = mediaTypeOf(request.headers.get("content-type") ?? "");
    this.#request = request;
    this.#options = options;
  }

  /** The format of the object in the body, undefined for another media type. */
  get format(): BodyFormat | undefined {
    return formats.get(this.type);
  }

  /** Sets a function that is called with the text of the body, and awaited before its use. */
  onceRead(prepare: (text: string) => Promise<void> | undefined): void {
    this.#prepare = prepare;
  }

  /**
   * Reads the whole body as text.
   *
   * @throws {ApiError} 413 above the limit, without reading on
   */
  async text(): Promise<string> {
    const text = await readText(this.#request, this.#options.limit);
    this.#options.onText(text);
    await this.#prepare(text);
    return text;
  }

  /**
   * Reads the whole body as bytes.
   *
   * @throws {ApiError} 413 above the limit, without reading on
   */
  bytes(): Promise<Uint8Array> {
    return readBytes(this.#request, this.#options.limit);
  }

  /**
   * The object in the bytes of a body in protobuf.
   *
   * @throws {MalformedBodyError}
   */
  async readProtobuf(bytes: Uint8Array, expected: ExpectedKind): Promise<JsonObject> {
    const object = await this.#options.readProtobuf(bytes, expected);
    const text = JSON.stringify(object);
    this.#options.onText(text);
    await this.#prepare(text);
    return object;
  }
}

// A header that is not a media type, such as one with a parameter without a value, stays as it is.
// It then differs from all that contain an object: Go's mime.ParseMediaType refuses it.
function mediaTypeOf(header: string): string {
  const [type = "", ...parameters] = header.split(";");
  const isType = parameters.every((one) => one.trim() === "" || one.includes("="));
  return isType && (type.trim() !== "" || parameters.length === 0)
    ? type.trim().toLowerCase()
    : header;
}

/** The body as a stream. Firefox has none for requests (153): there it is undefined. */
function streamOf(request: Request): ReadableStream<Uint8Array> | null | undefined {
  return request.body;
}

async function readText(request: Request, limit: number): Promise<string> {
  if (request.body === null) return "";
  const announced = announcedBytes(request, limit);
  // In one call: a streaming decoder returns strings of two bytes a character, which take twice the
  // time to parse.
  if (announced === undefined) return utf8.decode(await readBytes(request, limit));
  const text = await untilAborted(request.text(), request.signal);
  // A header that does not come from a connection can have any value.
  if (text.length > limit) throw tooLarge(limit);
  return text;
}

/** The length in the header, undefined without a number. @throws {ApiError} 413 above the limit */
function announcedBytes({ headers }: Request, limit: number): number | undefined {
  const announced = Number(headers.get("content-length") ?? Number.NaN);
  if (announced > limit) throw tooLarge(limit);
  return announced <= limit ? announced : undefined;
}

async function readBytes(request: Request, limit: number): Promise<Uint8Array> {
  const body = streamOf(request);
  if (body === null) return new Uint8Array();
  announcedBytes(request, limit);
  if (body === undefined) return readWhole(request, limit);
  const reader = body.getReader();
  try {
    return await untilAborted(readAll(reader, limit), request.signal);
  } catch (error) {
    // The rest is not awaited; a body that has failed cannot be cancelled any more.
    reader.cancel(error).catch(() => undefined);
    throw error;
  }
}

async function readWhole(request: Request, limit: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(await untilAborted(request.arrayBuffer(), request.signal));
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(next.value);
  }
  return joinBytes(chunks, size);
}
