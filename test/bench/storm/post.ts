// A request by a connection that is kept: `fetch` would cost more than what is measured.
import { type Agent, request } from "node:http";

export type Answer = {
  readonly status: number;
  /** Whether it says when to try again. */
  readonly retry: boolean;
};

/** Posts JSON and waits for the end of the answer. Rejects if there is none. */
export function post(agent: Agent, url: string, body: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
    };
    const outgoing = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume();
      response.once("error", fail);
      response.once("end", () => {
        const retry = Number(response.headers["retry-after"]) > 0;
        done({ status: response.statusCode ?? 0, retry });
      });
    });
    outgoing.once("error", fail);
    outgoing.end(body);
  });
}
