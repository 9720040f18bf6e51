// The worker as it is; only the mail service is another one: a stand-in that outlives the worker.
import { env } from "cloudflare:workers";

export * from "../../src/index.ts";
export { default } from "../../src/index.ts";

const real = globalThis.fetch;

globalThis.fetch = ((given: RequestInfo | URL, init?: RequestInit) => {
  const { host } = new URL(given instanceof Request ? given.url : String(given));
  const { PROVIDER } = env as unknown as { PROVIDER: string };
  return host === "api.resend.com" ? real(PROVIDER, init) : real(given, init);
}) as typeof fetch;
