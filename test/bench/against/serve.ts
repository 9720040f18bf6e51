// Runs this service as an operator does, under `npm run serve`, with its state in the folder of temporary files and a stand-in
// of a mail server. Its time to a provider ends once that has taken the mail.
import { tmpdir } from "node:os";
import { inDatabase } from "../../crash/load/remains.ts";
import { type Mailbox, openMailbox } from "../../support/serve/mailbox.ts";
import {
  makeAccount,
  makePlace,
  type Place,
  removePlace,
  startServer,
} from "../../support/serve/server.ts";
import { makeIntegrations } from "../integrations.ts";
import { memoryOf, treeOf } from "./memory.ts";
import type { Side } from "./senders.ts";

/** No rate limits, and a message for every page. */
const UNLIMITED = { RATE_LIMITS: "off", PAGES_AT_ONCE: "0" };

/** For how long nothing happens once everything is done (ms). */
const QUIET_MS = 3_000;

/** Runs it with integrations of one team during the work. */
export async function duringServe<Result>(
  integrations: number,
  work: (service: Side) => Promise<Result>,
): Promise<Result> {
  const mailbox = await openMailbox();
  const mail = { SMTP_URL: mailbox.url, EMAIL_FROM: "pager@acme.com" };
  const place = await makePlace({ ...UNLIMITED, ...mail }, tmpdir());
  process.once("exit", () => removePlace(place));
  const { key, accountUserId } = await makeAccount(place);
  const server = await startServer(place);
  try {
    const target = { url: () => place.url, key };
    const paths = await makeIntegrations(target, accountUserId, integrations);
    const intakes = paths.map((path) => ({
      url: place.url + path,
      bodyOf: (Id: string, Title: string) =>
        JSON.stringify({ event_type: "create", Id, Title, Description: "Volume /data" }),
    }));
    return await work({
      ...{ name: "this service", intakes, paging: intakes },
      calls: async () => firstCalls(mailbox),
      settle: () => untilSettled(place, mailbox),
      memory: () => memoryOf(treeOf(server.pid)),
    });
  } finally {
    await server.stop();
    await mailbox.close();
  }
}

/** When the first mail of each title was taken. */
const firstCalls = ({ letters }: Mailbox) =>
  new Map(letters.toReversed().map(({ subject, at }) => [subject.replace("[HIGH] ", ""), at]));

const COUNTS = `select (select count(*) from notifications where status = 'queued') as queued,
  (select count(*) from notifications) as total, count(*) as alerts, sum(dedup_count) as repeated
  from alerts`;

/** Waits until every page was sent and nothing more is stored. */
async function untilSettled({ state }: Place, { letters }: Mailbox): Promise<void> {
  let [before, since] = ["", Date.now()];
  while (Date.now() - since < QUIET_MS) {
    await new Promise((done) => setTimeout(done, 500));
    const [counts] = inDatabase(state, COUNTS);
    const now = JSON.stringify([counts, letters.length]);
    if (now !== before || counts?.queued !== 0) [before, since] = [now, Date.now()];
  }
}
