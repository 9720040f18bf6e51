// A fake mail service: accepts mails, responds after a delay, and records the times. It can have a fault.
import { createServer } from "node:http";

export type Taken = { readonly notificationId: string; readonly at: number };

/** What it does instead of accepting, until it is mended. */
export type ProviderFault = "key expired" | "fails" | "hangs";

export type Provider = {
  readonly url: string;
  fault: ProviderFault | null;
  readonly taken: readonly Taken[];
  readonly stop: () => void;
};

/** The delay between accepting a mail and responding (ms), in which a kill can happen. */
const RESPONSE_DELAY_MS = 30;

const EXPIRED = { statusCode: 401, name: "validation_error", message: "API key is invalid" };

export async function startProvider(): Promise<Provider> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const respond = (status: number, body: unknown) =>
        response
          .writeHead(status, { "Content-Type": "application/json" })
          .end(JSON.stringify(body));
      if (provider.fault === "hangs") return;
      if (provider.fault === "fails") return void respond(500, {});
      if (provider.fault === "key expired") {
        return void respond(request.method === "GET" ? 400 : 401, EXPIRED);
      }
      // A probe asks for the domains: it sends nothing.
      if (request.method === "GET") return void respond(200, {});
      const key = String(request.headers["idempotency-key"] ?? "");
      taken.push({ notificationId: key.split("/")[0] ?? "", at: Date.now() });
      setTimeout(() => respond(200, { id: `mail-${taken.length}` }), RESPONSE_DELAY_MS);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const provider: Provider = {
    ...{ url: `http://127.0.0.1:${port}`, fault: null, taken },
    stop: () => server.close(),
  };
  return provider;
}
