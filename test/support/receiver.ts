// A service that is told what happens: it checks the signature with the library its own would use, keeps what it gets,
// and answers as it is told to.
import { Webhook } from "standardwebhooks";
import { type Outgoing, serveAt } from "./outbound.ts";

export const RECEIVER_HOST = "hooks.tocsin-tests.example.com";
export const RECEIVER_URL = `https://${RECEIVER_HOST}/in`;
export const RECEIVER_SECRET = `whsec_${Buffer.from("only the tests' receivers know this").toString("base64")}`;

export type Got = {
  readonly id: string;
  readonly headers: Headers;
  readonly url: URL;
  /** The JSON of the body. */
  readonly body: any;
  readonly redirect: string;
};

export type Receiver = {
  /** Everything that came, whatever was answered. */
  readonly got: Got[];
  /** What it answers; null = 200. */
  answer: ((got: Got) => Response | null | Promise<Response | null>) | null;
  /** Without it, signatures are not looked at. */
  secret: string | null;
  readonly faults: string[];
};

/** Answers at a host, `RECEIVER_HOST` unless another is named. */
export function openReceiver(host = RECEIVER_HOST): Receiver {
  const receiver: Receiver = { got: [], answer: null, secret: null, faults: [] };
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
