// The worker with instruments, and the entrances by which a measurement drives it. Not deployed.
import { createApp } from "../../src/app.ts";
import { consume } from "../../src/consumer.ts";
import { runEveryMinute } from "../../src/cron.ts";
import { retire } from "../../src/features/operations/retention/retention.ts";
import { sweep } from "../../src/features/operations/retention/sweep.ts";
import { setClockAhead } from "./instruments/clock.ts";
import {
  type AlertObject,
  type EmptyObject,
  type IntegrationInbox,
  instruments,
  type LiveObject,
  type PersonObject,
} from "./instruments/objects.ts";
import { countRecords } from "./storm/records.ts";

export {
  AbsenceCalendarObject,
  AccessMailObject,
  AlertObject,
  BroadcastObject,
  BulkOperationObject,
  CalendarImportObject,
  CoverRequestObject,
  DedupKeyObject,
  EmptyObject,
  IntegrationInbox,
  LiveObject,
  OperationsObject,
  OutgoingObject,
  PersonObject,
  ScheduleObject,
  SecurityMailObject,
  StandbyObject,
  TeamObject,
  WelcomeObject,
} from "./instruments/objects.ts";

type BenchEnv = Cloudflare.Env & { EMPTY: DurableObjectNamespace<EmptyObject> };

const app = createApp();

/** Objects by the binding of their class. */
type Names = Readonly<Partial<Record<"ALERT" | "INTEGRATION_INBOX" | "LIVE" | "PERSON", string[]>>>;
type Firing = Pick<AlertObject | IntegrationInbox | LiveObject | PersonObject, "fireDue">;

/** Fires the due alarms of the objects; returns how many there were. */
async function fireAlarms(env: BenchEnv, names: Names): Promise<number> {
  const fire = (namespace: { getByName(name: string): unknown }, of: readonly string[] = []) =>
    of.map((name) => (namespace.getByName(name) as Firing).fireDue());
  const fired = await Promise.all([
    ...fire(env.ALERT, names.ALERT),
    ...fire(env.INTEGRATION_INBOX, names.INTEGRATION_INBOX),
    ...fire(env.LIVE, names.LIVE),
    ...fire(env.PERSON, names.PERSON),
  ]);
  return fired.filter(Boolean).length;
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    switch (pathname) {
      case "/bench/empty":
        await env.EMPTY.getByName("one").nothing();
        return Response.json({});
      case "/bench/report":
        return Response.json(instruments.report());
      case "/bench/reset":
        instruments.reset(searchParams.has("rows"));
        return Response.json({});
      case "/bench/clock":
        setClockAhead(Number(searchParams.get("ahead")));
        return Response.json({});
      case "/bench/alarms":
        return Response.json(await fireAlarms(env, await request.json()));
      case "/bench/retire":
        await retire(instruments.around("retirement", env), Date.now());
        return Response.json({});
      case "/bench/sweep":
        await sweep(instruments.around("sweep", env), Date.now());
        return Response.json({});
      case "/bench/cron":
        await runEveryMinute(instruments.around("cron", env), Date.now());
        return Response.json({});
      case "/bench/standing":
        return Response.json(await countRecords(env, searchParams.get("integration") ?? ""));
      default:
        instruments.requests += 1;
        return app.fetch(request, instruments.around("worker", env), ctx);
    }
  },
  queue(batch, env, context) {
    instruments.queueBatches += 1;
    instruments.queueMessages += batch.messages.length;
    return consume(batch, instruments.around("consumer", env), context);
  },
} satisfies ExportedHandler<BenchEnv>;
