// A fake mail service: accepts mails, responds after a delay, and records the times.
import { createServer } from "node:http";

export type Taken = { readonly notificationId: string; readonly at: number };

export type Provider = {
  readonly url: string;
  readonly taken: readonly Taken[];
  readonly stop: () => void;
};

/** The delay between accepting a mail and responding (ms), in which a kill can happen. */
const RESPONSE_DELAY_MS = 30;

export async function startProvider(): Promise<Provider> {
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      // A probe asks for the domains: it sends nothing.
      if (request.method === "GET") return void response.writeHead(200).end("{}");
      const key = String(request.headers["idempotency-key"] ?? "");
      taken.push({ notificationId: key.split("/")[0] ?? "", at: Date.now() });
      setTimeout(() => {
        response.writeHead(200, { "Content-Type": "application/json" });
        response.end(JSON.stringify({ id: `mail-${taken.length}` }));
      }, RESPONSE_DELAY_MS);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, taken, stop: () => server.close() };
}
