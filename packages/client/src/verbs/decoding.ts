import { createInvalidOptionError, inRealTime } from "@listwatch/core-fifo/base";
import type { Encoding } from "../http/connection.ts";
import type { Codec, Decoder, ObjectForm } from "../json/decoder.ts";
import { namesOfFields } from "../resource/projected.ts";

/** Requested form and encoding of a collection. */
export interface DecodingOptions extends ObjectForm {
  readonly encoding?: Encoding | undefined;
  /**
   * Called when an object of a kind, such as `apps/v1/Deployment`, is the first to lack fields that
   * this version does not know.
   */
  readonly onDroppedFields?: ((kind: string) => void) | undefined;
  /** Called when the named codec is not in this program, so that JSON is requested. */
  readonly onMissingCodec?: (() => void) | undefined;
  /** Loads the codec `"protobuf"`. @default the module that bundles for browsers leave out */
  readonly loadCodec?: (() => Promise<Codec | undefined>) | undefined;
}

/** A decoder in the form that a collection requests. It may have to be loaded. */
export class Decoding {
  #decoder: Decoder;
  #loading: Promise<void> | undefined;
  readonly #load: (() => Promise<Decoder>) | undefined;

  /**
   * @throws {InvalidOptionsError} if options exclude each other, or the decoder has only one form
   *   or encoding
   */
  constructor(decoder: Decoder, options: DecodingOptions) {
    this.#decoder = decoder;
    this.#load = loaderOf(decoder, options);
  }

  /** The decoder, in the requested form once that is loaded. */
  get decoder(): Decoder {
    return this.#decoder;
  }

  /** Resolves when the decoder is loaded. After a failure the next call tries again. */
  loaded(): Promise<void> | undefined {
    if (this.#load === undefined) return undefined;
    this.#loading ??= this.#load().then(
      (decoder) => void (this.#decoder = decoder),
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}

function loaderOf(
  decoder: Decoder,
  options: DecodingOptions,
): (() => Promise<Decoder>) | undefined {
  const loadForm = formLoaderOf(decoder, options);
  const { encoding = "json", fields, loadCodec = loadNamedCodec, onDroppedFields } = options;
  if (encoding === "json") return loadForm;
  if (decoder.settings === undefined) {
    throw createInvalidOptionError("encoding", "none with this decoder", encoding);
  }
  const stripManagedFields = leavesOutManagedFields(decoder, options);
  const settings = { ...decoder.settings, stripManagedFields };
  return async () => {
    const json = (await loadForm?.()) ?? decoder;
    const codec = encoding === "protobuf" ? await loadCodec() : encoding;
    if (codec !== undefined) {
      return codec.createDecoder({ json, settings, fields, onDroppedFields });
    }
    options.onMissingCodec?.();
    // Objects of the codec would be lazy too.
    const { managedFields } = options;
    if (fields !== undefined) return json;
    return (await decoder.inForm?.({ lazy: true, managedFields })) ?? json;
  };
}

/**
 * Loads the codec late, because most programs do not need it. A bundle for browsers has an empty
 * module in its place.
 */
async function loadNamedCodec(): Promise<Codec | undefined> {
  const codecs: { readonly protobuf?: Codec } = await inRealTime(import("../protobuf/by-name.ts"));
  return codecs.protobuf;
}

/** Whether objects of a decoder in this form have no `.metadata.managedFields`. */
export function leavesOutManagedFields(
  { settings }: Decoder,
  { managedFields }: ObjectForm,
): boolean {
  return managedFields === false || settings?.stripManagedFields === true;
}

function formLoaderOf(decoder: Decoder, form: ObjectForm): (() => Promise<Decoder>) | undefined {
  const option = formOptionOf(form);
  checkFields(form);
  const { inForm } = decoder;
  if (inForm === undefined) {
    if (option === undefined) return undefined;
    throw createInvalidOptionError(option, "none with this decoder", form[option]);
  }
  const { fields, lazy = true, managedFields } = form;
  if (option === undefined && !lazy) return undefined;
  return () => inForm({ fields, lazy, managedFields });
}

/** Returns the name of the first option that asks for another form than the decoder's own. */
function formOptionOf({ fields, lazy, managedFields }: ObjectForm): keyof ObjectForm | undefined {
  if (fields !== undefined) return "fields";
  if (lazy === true) return "lazy";
  return managedFields === false ? "managedFields" : undefined;
}

function checkFields({ fields, lazy, managedFields }: ObjectForm): void {
  if (fields === undefined) return;
  const names = namesOfFields(fields);
  if (lazy === true) throw createInvalidOptionError("lazy", "one of fields and lazy", lazy);
  const isWanted = names.some(([first, second]) => first === "metadata" && second === managed);
  if (managedFields === false && isWanted) {
    throw createInvalidOptionError("managedFields", "true with this path in fields", managedFields);
  }
}

const managed = "managedFields";
