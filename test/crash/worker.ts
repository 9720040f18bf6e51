// The worker with a fake mail service that outlives it.
import { env } from "cloudflare:workers";

export * from "../../src/index.ts";
export { default } from "../../src/index.ts";

const real = globalThis.fetch;

globalThis.fetch = ((input: RequestInfo | URL, init?: RequestInit) => {
  const { host } = new URL(input instanceof Request ? input.url : String(input));
  const { PROVIDER } = env as unknown as { PROVIDER: string };
  return host === "api.resend.com" ? real(PROVIDER, init) : real(input, init);
}) as typeof fetch;
