// The process that has the runtime in it: Miniflare, and workerd as its child. `serve.ts` starts it, in a process group of its
// own, and tells it by a message what to run; a second message ends it.
import { Log, LogLevel, Miniflare } from "miniflare";
import { readBaseConfig } from "../deploying/base-config.ts";
import { lockState, RUNTIME_ENDING_MS, RUNTIME_LOCK } from "./lock.ts";
import { log, logRuntime } from "./log.ts";
import { miniflareOptions, type RuntimeInput, WORKER } from "./miniflare-options.ts";
import { createMailSender } from "./outgoing-mail.ts";

export type RuntimeStart = RuntimeInput & { readonly smtpUrl: string | null };

/** Where the worker takes requests, with their whole URL in the request line, and mail. */
export type RuntimeReady = { readonly requests: string; readonly mail: string };

const MINUTE = 60_000;

/** Miniflare's own words, as log lines. */
class JsonLog extends Log {
  override logWithLevel(level: LogLevel, message: string): void {
    if (level === LogLevel.ERROR || level === LogLevel.WARN) {
      log(level === LogLevel.ERROR ? "error" : "warn", message);
    }
  }
}

/** Runs what the cron trigger runs, at the beginning of each minute. */
function runEachMinute(runtime: Miniflare): void {
  const run = async () => {
    try {
      const worker = await runtime.getWorker(WORKER);
      const { outcome } = await worker.scheduled({ cron: "* * * * *" });
      if (outcome !== "ok") log("error", "the work of a minute failed", { outcome });
    } catch (error) {
      log("error", "the work of a minute failed", { error: String(error) });
    }
  };
  const wait = () =>
    setTimeout(
      () => {
        void run();
        wait();
      },
      MINUTE - (Date.now() % MINUTE),
    );
  wait();
}

async function start({ smtpUrl, ...input }: RuntimeStart): Promise<void> {
  if (!lockState(input.state, RUNTIME_LOCK, RUNTIME_ENDING_MS)) {
    throw new Error(`the runtime of another process still uses ${input.state}`);
  }
  const runtime = new Miniflare({
    ...miniflareOptions(readBaseConfig(), input, {
      onLog: logRuntime,
      onRestart: () => log("warn", "the runtime runs again"),
      sendMail: smtpUrl === null ? null : createMailSender(smtpUrl),
    }),
    log: new JsonLog(),
  });
  process.on("message", async () => {
    await runtime.dispose();
    process.exit(0);
  });
  await runtime.ready;
  const [requests, mail] = await Promise.all([
    runtime.unsafeGetDirectURL(WORKER),
    runtime.unsafeGetDirectURL(WORKER, "MailEntrance"),
  ]);
  runEachMinute(runtime);
  process.send?.({ requests: requests.href, mail: mail.href } satisfies RuntimeReady);
}

// Only `serve.ts` ends this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.once("message", (input: RuntimeStart) => {
  start(input).catch((error: Error) => {
    log("error", "the runtime does not start", { error: error.message });
    process.exit(1);
  });
});
