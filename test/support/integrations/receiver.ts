// A fake service for outgoing integrations: verifies the signature with an independent library,
// records requests, and responds as configured.
import { Webhook } from "standardwebhooks";
import { type Outgoing, serveAt } from "../providers/outbound.ts";

let receivers = 0;

export const RECEIVER_SECRET = `whsec_${Buffer.from("only the tests' receivers know this").toString("base64")}`;

type ReceivedRequest = {
  readonly id: string;
  readonly headers: Headers;
  readonly url: URL;
  /** The JSON of the body. */
  readonly body: any;
  readonly redirect: string;
};

export type Receiver = {
  readonly host: string;
  readonly url: string;
  /** All requests, whatever the response. */
  readonly got: ReceivedRequest[];
  /** The response; null = 200. */
  answer: ((got: ReceivedRequest) => Response | null | Promise<Response | null>) | null;
  /** null = signatures are not verified. */
  secret: string | null;
  readonly faults: string[];
};

/** Starts a receiver at a unique host, which pending deliveries of other tests do not reach. */
export function openReceiver(): Receiver {
  receivers += 1;
  const host = `hooks-${receivers}.tocsin-tests.example.com`;
  const url = `https://${host}/in`;
  const receiver: Receiver = { host, url, got: [], answer: null, secret: null, faults: [] };
  serveAt(host, async (request: Outgoing) => {
    const { headers, url, redirect } = request;
    const text = new TextDecoder().decode(request.body);
    if (receiver.secret !== null) {
      try {
        new Webhook(receiver.secret).verify(text, Object.fromEntries(headers));
      } catch (error) {
        receiver.faults.push(String(error));
        return new Response("signature", { status: 401 });
      }
    }
    if (request.method !== "POST") receiver.faults.push(request.method);
    const body: unknown = JSON.parse(text);
    const got = { id: headers.get("webhook-id") ?? "", headers, url, body, redirect };
    receiver.got.push(got);
    return (await receiver.answer?.(got)) ?? new Response("ok");
  });
  return receiver;
}
