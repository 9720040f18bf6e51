import { allowedHosts, outboundUrlFault } from "../../../domain/integrations/outbound-url.ts";
import type { FieldError } from "../../../domain/shared/refusal.ts";

/** Errors of an absence calendar's URL. */
export function urlFaults(
  env: Cloudflare.Env,
  { url }: { readonly url?: string | undefined },
): FieldError[] {
  if (url === undefined) return [];
  const fault = outboundUrlFault(url, allowedHosts(env.ALLOWED_HOSTS));
  return fault === null ? [] : [{ field: "url", message: `url ${fault}` }];
}
