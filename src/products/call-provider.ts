// One HTTP call to a messenger's provider or a person's own server: to an allowed URL, with a
// timeout, without redirects, reading only the start of the answer. Never throws; logs nothing.
import { allowedHosts, outboundUrlFault } from "../domain/integrations/outbound-url.ts";
import { readStart } from "../domain/integrations/response-start.ts";
import type { ProviderAnswer, ProviderRequest } from "./messenger.ts";

/** Shorter than the queue consumer's timeout. */
const TIMEOUT_MS = 8_000;

/** How much of an answer is read (bytes). */
const MAX_READ = 16_384;

/** A request that changes nothing. */
type Reading = Omit<ProviderRequest, "method" | "body"> & {
  readonly method: "GET";
  readonly body: null;
};

/** Calls a provider. Returns its answer, or why there is none. */
export async function callProvider(
  env: Cloudflare.Env,
  { url, method, headers, body }: ProviderRequest | Reading,
): Promise<ProviderAnswer | "forbidden" | "unreachable"> {
  if (outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS)) !== null) return "forbidden";
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method, headers, body, redirect: "manual", signal });
    const { status } = response;
    const retryAfter = response.headers.get("retry-after");
    // The message is sent even if the answer cannot be read.
    return { status, retryAfter, body: await readJson(response).catch(() => null) };
  } catch {
    return "unreachable";
  }
}

async function readJson(response: Response): Promise<unknown> {
  const { text, isWhole } = await readStart(response, MAX_READ);
  return isWhole && text !== "" ? JSON.parse(text) : null;
}
