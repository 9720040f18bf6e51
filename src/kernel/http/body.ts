// Reads request bodies: at most 1 MiB uncompressed, JSON or form-encoded, as one plain object.
// Never throws on any input.
import { readForm } from "../../domain/shared/form.ts";
import { isBlankJson, isJsonObject, nestsTooDeep } from "../../domain/shared/json.ts";
import { type Refusal, refuse } from "../../domain/shared/refusal.ts";

const MAX_BODY_BYTES = 1_048_576;

const TOO_LARGE = refuse("too_large", `the body is larger than ${MAX_BODY_BYTES} bytes`);
const NOT_GZIP = refuse("malformed", "the body is not valid gzip");

/** Reads the bytes of a body, decompressing gzip; a refusal above the size limit. */
export async function readBytes(request: Request): Promise<Uint8Array | Refusal> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > MAX_BODY_BYTES) return TOO_LARGE;
  if (request.body === null) return new Uint8Array();
  const encoding = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "gzip" || encoding === "x-gzip") {
    try {
      return await collect(request.body.pipeThrough(new DecompressionStream("gzip")));
    } catch {
      return NOT_GZIP;
    }
  }
  if (encoding !== "identity" && encoding !== "") {
    return refuse("unsupported_media", `content encoding ${encoding} is not supported; use gzip`);
  }
  try {
    return await collect(request.body);
  } catch {
    return refuse("malformed", "the body could not be read to its end");
  }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array | Refusal> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) return TOO_LARGE;
    chunks.push(chunk);
  }
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

/** Reads the parameters of an API request; an empty body is an empty object. */
export async function readParameters(request: Request): Promise<Record<string, unknown> | Refusal> {
  const bytes = await readBytes(request);
  if (!(bytes instanceof Uint8Array)) return bytes;
  if (bytes.byteLength === 0) return {};
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return refuse("malformed", "the body is not valid UTF-8");
  }
  if (isBlankJson(text)) return {};
  const type =
    (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") {
    const form = readForm(new URLSearchParams(text));
    return form ?? refuse("malformed", "the form has too many fields, or nests too deeply");
  }
  if (type !== "" && type !== "text/plain" && !type.endsWith("json")) {
    return refuse("unsupported_media", `content type ${type} is not supported; use JSON`);
  }
  return parseObject(text);
}

function parseObject(text: string): Record<string, unknown> | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("malformed", "the body is not valid JSON");
  }
  if (!isJsonObject(value)) {
    return refuse("malformed", "the body must be a JSON object");
  }
  if (nestsTooDeep(value)) return refuse("malformed", "the body nests too deeply");
  return value;
}
