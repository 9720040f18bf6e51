import type { InboundRequest } from "../../../products/integration-type.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import type { PreviewIntegration } from "../integrations/parameters.ts";

/** The payload as the request that a sender would make to this URL. */
export function previewedRequest(
  address: string,
  { payload, headers = {}, params = {} }: PreviewIntegration,
): InboundRequest {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, String(value));
  const text = typeof payload === "string" ? payload : JSON.stringify(payload ?? null);
  const isJson = typeof payload !== "string";
  const requestHeaders = new Headers(isJson ? { "content-type": "application/json" } : {});
  for (const [name, value] of Object.entries(headers))
    setHeader(requestHeaders, name, String(value));
  return parseInbound("POST", url, requestHeaders, new TextEncoder().encode(text));
}

/** Skips names and values that are not valid in a header. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    return;
  }
}
