// What leaves the worker for people: texts, taken by a stand-in for Twilio, and mails, which wrangler keeps in files and
// names in its output.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { stripVTControlCharacters } from "node:util";

export type Text = { readonly to: string; readonly body: string };
export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Telephone = {
  /** The variables by which the worker finds it. */
  readonly variables: Readonly<Record<string, string>>;
  /** What was sent, in order. */
  readonly texts: readonly Text[];
  readonly stop: () => void;
};

/** Takes every message, as Twilio does. */
export async function startTelephone(): Promise<Telephone> {
  const texts: Text[] = [];
  const server = createServer(async (request, response) => {
    let sent = "";
    for await (const chunk of request) sent += chunk;
    const form = new URLSearchParams(sent);
    texts.push({ to: form.get("To") ?? "", body: form.get("Body") ?? "" });
    response.writeHead(201, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ sid: `SM${texts.length}` }));
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
    },
    texts,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const MAIL =
  /send_email binding called with MessageBuilder:\n[\s\S]*?^To: (.+)\n[\s\S]*?^Subject: (.*)\n[\s\S]*?^Text: (.+)$/gm;

/** The mails that wrangler's output names. */
export function mailsIn(output: string): readonly Mail[] {
  return [...stripVTControlCharacters(output).matchAll(MAIL)].map(
    ([, to = "", subject = "", file = ""]) => ({ to, subject, text: readFileSync(file, "utf8") }),
  );
}
