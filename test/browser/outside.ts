// The worker's outgoing messages: SMS and messages of Pushover, which a fake accepts, and mails, which wrangler
// stores in files and lists in its output.
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripVTControlCharacters } from "node:util";

export type Text = { readonly to: string; readonly body: string };
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Telephone = {
  /** The worker's variables. */
  readonly variables: Readonly<Record<string, string>>;
  readonly stop: () => void;
};

/**
 * Starts a fake Twilio and Pushover that accepts every message and appends it to a file as a JSON
 * line.
 */
export async function startTelephone(file: string): Promise<Telephone> {
  let texts = 0;
  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const chunk of request) sent += chunk;
    const form = new URLSearchParams(sent);
    const text: Text = {
      to: form.get("To") ?? form.get("user") ?? "",
      body: form.get("Body") ?? form.get("title") ?? "",
    };
    appendFileSync(file, `${JSON.stringify(text)}\n`);
    texts += 1;
    response.writeHead(201, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ sid: `SM${texts}` }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    variables: {
      TWILIO_API: `http://127.0.0.1:${port}`,
      TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000000",
      TWILIO_AUTH_TOKEN: "nothing that anybody would have to keep",
      TWILIO_FROM: "+14155550100",
      PUSHOVER_API: `http://127.0.0.1:${port}`,
      PUSHOVER_TOKEN: "nothing that anybody would have to keep",
      ALLOWED_HOSTS: `127.0.0.1:${port}`,
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const MAIL = /^MAIL to (.+?) "(.*)": (.+)$/gm;

/** The mails listed in the output of the local server. */
export function mailsIn(output: string): readonly Mail[] {
  return [...stripVTControlCharacters(output).matchAll(MAIL)].map(
    ([, to = "", subject = "", file = ""]) => ({ to, subject, text: readFileSync(file, "utf8") }),
  );
}

/** The SMS that were sent, in order. */
export function textsIn(file: string): readonly Text[] {
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Text);
}
