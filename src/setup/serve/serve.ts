// `npm run serve`: the whole service on one machine, for production. Everything that is stored is in one folder. This process
// listens; others, which it starts, prepare the state and run the worker.
import { mkdirSync } from "node:fs";
import { readBaseConfig } from "../deploying/base-config.ts";
import { exitForHelp } from "../help.ts";
import { untilStopped } from "../stopped.ts";
import { startProcess } from "./child-process.ts";
import type { PrepareInput } from "./first-admin.ts";
import { startFront } from "./front.ts";
import { lockState, SERVER_LOCK } from "./lock.ts";
import { log } from "./log.ts";
import type { RuntimeReady, RuntimeStart } from "./runtime.ts";
import { parseServeArguments, SERVE_USAGE, type ServeArguments } from "./serve-arguments.ts";
import { canCall, privateHostsOf, readSettings, type ServerSettings } from "./settings.ts";

/** Serves until stopped. @returns the exit code. Throws if a part of it ends by itself */
async function serve(
  { state, host, port }: ServeArguments,
  { publicUrl, variables, smtpUrl, mailPort, proxies, first }: ServerSettings,
  stopped: AbortSignal,
): Promise<number> {
  const input: PrepareInput = {
    ...{ state, publicUrl, first },
    standbyOf: variables.STANDBY_OF || null,
  };
  if (!canCall(variables, smtpUrl)) {
    const hint = "set SMTP_URL and EMAIL_FROM, or the key of a provider";
    log("warn", `nobody can be paged by email, SMS or a call: ${hint}`);
  }
  const secrets = await startProcess<Readonly<Record<string, string>>>("prepare.ts", input).answer;
  if (stopped.aborted) return 0;
  const start: RuntimeStart = {
    ...{ state, variables: { ...secrets, ...variables }, smtpUrl },
    privateHosts: privateHostsOf(variables),
  };
  const runtime = startProcess<RuntimeReady>("runtime.ts", start);
  const ready = await runtime.answer;
  const closing = [await startFront({ host, port, proxies, worker: new URL(ready.requests) })];
  if (mailPort !== null) {
    const { receiveMail } = await import("./incoming-mail.ts");
    closing.push(await receiveMail(mailPort, new URL(ready.mail)));
  }
  log("info", "ready", { url: publicUrl, host, port, ...(mailPort && { mailPort }) });
  await Promise.race([runtime.ended, whenAborted(stopped)]);
  if (!stopped.aborted) throw new Error("the runtime has ended");
  log("info", "stopping");
  await Promise.all(closing.map((close) => close()));
  runtime.stop();
  return runtime.ended;
}

const whenAborted = (signal: AbortSignal) =>
  new Promise<void>((done) => {
    if (signal.aborted) done();
    else signal.addEventListener("abort", () => done());
  });

exitForHelp(SERVE_USAGE);
const args = parseServeArguments(process.argv.slice(2), process.cwd());
if ("refused" in args) {
  console.error(`${args.refused}\n${SERVE_USAGE}`);
  process.exit(2);
}
const settings = readSettings(args.config, readBaseConfig().vars);
if ("refused" in settings) {
  console.error(settings.refused);
  process.exit(2);
}
// What is stored is for this user alone, as are the files of the processes that it starts.
process.umask(0o077);
mkdirSync(args.state, { recursive: true });
if (!lockState(args.state, SERVER_LOCK, 0)) {
  console.error(`${args.state} is in use by another process`);
  process.exit(1);
}
const stopped = untilStopped();
const exitCode = await serve(args, settings, stopped).catch((error: Error) => {
  if (stopped.aborted) return 0;
  log("error", error.message);
  return 1;
});
process.exit(exitCode);
