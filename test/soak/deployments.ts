// The deployments that are soaked: the worker of the kills under `wrangler dev`, and the one under `npm run serve`, each with
// a stand-in that takes its mail.
import type { Target } from "../crash/load/load.ts";
import { startProvider, type Taken } from "../crash/load/provider.ts";
import { endRun } from "../crash/load/remains.ts";
import { buildCrashWorker } from "../crash/shared-build.ts";
import { notificationsOf, openMailbox } from "../support/serve/mailbox.ts";
import { makeAccount, makePlace, removePlace, startServer } from "../support/serve/server.ts";
import { freePort, startWorker } from "../support/worker/dev-worker.ts";

type Variables = Readonly<Record<string, string>>;

export type Deployment = {
  readonly target: Target;
  readonly accountUserId: string;
  /** The folder of its storage. */
  readonly state: string;
  /** The mails that were taken. */
  readonly taken: () => readonly Taken[];
  readonly stop: () => Promise<unknown>;
  /** Removes what is left of it, except the storage of a run with faults (exit code 1). */
  readonly end: () => Promise<void>;
};

export async function startUnderWrangler(variables: Variables): Promise<Deployment> {
  const provider = await startProvider();
  const built = await buildCrashWorker("watched");
  const all = { ...variables, RESEND_API_KEY: "none", PROVIDER: provider.url };
  const running = await startWorker(built, await freePort(), all, "/api/v4/users");
  return {
    target: { url: () => running.url, key: built.key },
    ...{ accountUserId: built.accountUserId, state: built.state, taken: () => provider.taken },
    stop: running.kill,
    end: async () => endRun(provider, built),
  };
}

export async function startUnderServe(variables: Variables): Promise<Deployment> {
  const mailbox = await openMailbox();
  const mail = { SMTP_URL: mailbox.url, EMAIL_FROM: "pager@acme.com" };
  const place = await makePlace({ ...variables, ...mail });
  const { key, accountUserId } = await makeAccount(place);
  const server = await startServer(place);
  return {
    ...{ target: { url: () => place.url, key }, accountUserId, state: place.state },
    taken: () => notificationsOf(mailbox),
    stop: server.stop,
    end: async () => {
      await mailbox.close();
      if (process.exitCode === 1) console.log(`what it left is in ${place.state}`);
      else removePlace(place);
    },
  };
}
