import { inRealTime } from "@listwatch/core-fifo/base";
import { badRequest } from "../api/errors.ts";
import { type BodyFormat, type ExpectedKind, type RequestBody, unsupportedBody } from "./body.ts";
import { type Decoded, decodeJson } from "./decode.ts";
import { MalformedBodyError } from "./errors.ts";

/** The value in a body, and the text that it came from. */
export interface DecodedBody extends Decoded {
  /** "" for protobuf. */
  readonly text: string;
}

const utf8 = new TextDecoder();
const hexadecimal = 16;
// k8s.io/apiserver handlers/rest.go: `summarizeData` shows so many bytes.
const shownBytes = 30;

/**
 * Reads and decodes a body that holds an object.
 *
 * @throws {ApiError} 400 for what cannot be decoded, 413 and 415
 */
export async function decodeBody(body: RequestBody, expected: ExpectedKind): Promise<DecodedBody> {
  const { format } = body;
  // Before it is read.
  if (format === undefined) throw unsupportedBody();
  if (format === "protobuf") return decodeProtobuf(body, await body.bytes(), expected);
  const text = await body.text();
  return decodeText(text, format, (why) =>
    unrecognizedObject(expected.kind, `${why} (${summarizeText(text)})`),
  );
}

/**
 * Reads and decodes a body that may be empty, whatever its type is then.
 *
 * @returns undefined for an empty one
 * @throws {ApiError} 400 for what cannot be decoded, 413 and 415
 */
export async function decodeIfGiven(
  body: RequestBody,
  expected: ExpectedKind,
): Promise<DecodedBody | undefined> {
  const { format } = body;
  if (format === "protobuf") {
    const bytes = await body.bytes();
    return bytes.length === 0 ? undefined : decodeProtobuf(body, bytes, expected);
  }
  const text = await body.text();
  if (text === "") return undefined;
  if (format === undefined) throw unsupportedBody();
  return decodeText(text, format, badRequest);
}

async function decodeText(
  text: string,
  format: Exclude<BodyFormat, "protobuf">,
  errorOf: (why: string) => Error,
): Promise<DecodedBody> {
  try {
    if (format === "json") return { ...decodeJson(text), text };
    // Loaded late: most programs never send YAML, and its library takes 10 ms.
    const { decodeYaml } = await inRealTime(import("./decode-yaml.ts"));
    return { ...decodeYaml(text), text };
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    const start = format === "json" ? "couldn't get version/kind; json parse error: " : "";
    throw errorOf(start + error.message);
  }
}

async function decodeProtobuf(
  body: RequestBody,
  bytes: Uint8Array,
  expected: ExpectedKind,
): Promise<DecodedBody> {
  try {
    return { value: await body.readProtobuf(bytes, expected), strictErrors: [], text: "" };
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    const { message, type } = error;
    if (type === undefined) {
      throw unrecognizedObject(expected.kind, `${message} (${summarize(bytes)})`);
    }
    const { kind, version } = type;
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a ${expected.kind}: ${message}`,
    );
  }
}

/** The start of a body as the server shows it. */
function summarize(bytes: Uint8Array): string {
  if (bytes.length === 0) return "<empty>";
  const start = bytes.subarray(0, shownBytes);
  const more = bytes.length > shownBytes ? " ..." : "";
  if (bytes[0] === "{".charCodeAt(0)) return utf8.decode(start) + more;
  return Array.from(start, (byte) => byte.toString(hexadecimal).padStart(2, "0")).join("") + more;
}

/** As the server shows the start of a body in text. */
export function summarizeText(text: string): string {
  return summarize(new TextEncoder().encode(text));
}

/** The error for a body that is not an object, or has no type. */
export function unrecognizedObject(kind: string, why: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}
