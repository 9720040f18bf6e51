import type { IntegrationConfiguration } from "../../../domain/integrations/integration-configuration.ts";
import { interpretRequest } from "../../../products/interpret.ts";
import { parseInbound } from "../../../products/reading/inbound.ts";
import { integrationTypeNamed } from "../../../products/registry.ts";
import type { Sample } from "../../../products/set-up.ts";
import type { ForwardedRequest } from "../../rpc.ts";

type SampleRequest = Pick<ForwardedRequest, "method" | "url" | "headers" | "readAs"> & {
  readonly body: Uint8Array;
};

/** A sample in the generic webhook's format, for types without one of their own. */
const GENERIC: Sample = {
  headers: { "content-type": "application/json" },
  body: { event_type: "create", Title: "Test event" },
};

/** A sample as the request that the sender would make to this address. */
function requestOf(address: string, { method = "POST", query = "", headers, body }: Sample) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return {
    method,
    url: address + query,
    headers: Object.entries(headers),
    body: new TextEncoder().encode(text),
  };
}

/**
 * The request of a test event: the type's sample, if the integration would make an alert of it.
 * Otherwise, such as with expressions of the user's own, one in the generic webhook's format.
 */
export function sampleRequest(
  address: string,
  sample: Sample | undefined,
  configuration: IntegrationConfiguration,
): SampleRequest {
  const type = integrationTypeNamed(configuration.integrationType);
  if (sample !== undefined && type !== null) {
    const request = requestOf(address, sample);
    const { method, url, headers, body } = request;
    const headerList = new Headers(headers);
    const inbound = parseInbound(method, new URL(url), headerList, body);
    const events = interpretRequest(type, inbound, configuration.options, configuration);
    if (events.some((event) => event.kind === "create")) return request;
  }
  return { ...requestOf(address, GENERIC), readAs: "webhook" };
}
