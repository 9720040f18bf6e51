// The worker with instruments, and an empty object as the baseline. Not deployed.
import { DurableObject } from "cloudflare:workers";
import { createApp } from "../../src/app.ts";
import { AlertObject as PlainAlertObject } from "../../src/objects/alerts/alert-object.ts";
import { IntegrationInbox as PlainInbox } from "../../src/objects/integrations/inbox/integration-inbox.ts";
import { PersonObject as PlainPersonObject } from "../../src/objects/people/person-object.ts";
import { consume } from "../../src/queue/consumer.ts";
import { Instruments } from "./instruments.ts";

export { AccessMailObject } from "../../src/objects/access/access-mail-object.ts";
export { SecurityMailObject } from "../../src/objects/access/security-mail-object.ts";
export { DedupKeyObject } from "../../src/objects/alerts/dedup-key.ts";
export { BroadcastObject } from "../../src/objects/broadcasts/broadcast-object.ts";
export { OutgoingObject } from "../../src/objects/integrations/outgoing-object.ts";
export { ScheduleObject } from "../../src/objects/oncall/schedule-object.ts";
export { TeamObject } from "../../src/objects/oncall/team-object.ts";
export { WelcomeObject } from "../../src/objects/people/welcome-object.ts";

const instruments = new Instruments();

export class EmptyObject extends DurableObject {
  async nothing(): Promise<number> {
    return 1;
  }
}

export class AlertObject extends PlainAlertObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    instruments.watchStorage(ctx.storage);
    super(ctx, instruments.around("alert object", env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

export class IntegrationInbox extends PlainInbox {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    instruments.watchStorage(ctx.storage);
    super(ctx, instruments.around("inbox", env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

export class PersonObject extends PlainPersonObject {
  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    instruments.watchStorage(ctx.storage);
    super(ctx, instruments.around("person object", env));
  }
  override alarm() {
    return instruments.during(() => super.alarm());
  }
}

type BenchEnv = Cloudflare.Env & { EMPTY: DurableObjectNamespace<EmptyObject> };

const app = createApp();

/** Counts an integration's alerts, logs and pages in D1. */
async function countRecords(env: BenchEnv, integrationId: string) {
  const [alerts, logs, pages] = await env.DB.batch<Record<string, number>>([
    env.DB.prepare(`select count(*) as alerts, coalesce(sum(1 + dedup_count), 0) as events,
      count(distinct thirdparty_id) as ids from alerts where source_id = ?`).bind(integrationId),
    env.DB.prepare("select count(*) as logs from logs where owner_id = ?").bind(integrationId),
    env.DB.prepare(`select count(*) as pages, coalesce(sum(status = 'queued'), 0) as waiting,
        coalesce(sum(status = 'sent'), 0) as sent, coalesce(sum(attempts > 1), 0) as repeated,
        count(distinct effect_id || channel || "to") as effects,
        count(distinct provider_id) as messages from notifications
      where alert_id in (select id from alerts where source_id = ?)`).bind(integrationId),
  ]);
  return { ...alerts?.results[0], ...logs?.results[0], ...pages?.results[0] };
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
      case "/bench/alerts": {
        const { results } = await env.DB.prepare(
          "select id from alerts where source_id = ? order by id",
        )
          .bind(searchParams.get("integration"))
          .all<{ id: string }>();
        return Response.json(results.map(({ id }) => id));
      }
      case "/bench/standing":
        return Response.json(await countRecords(env, searchParams.get("integration") ?? ""));
      default:
        instruments.requests += 1;
        return app.fetch(request, instruments.around("worker", env), ctx);
    }
  },
  queue(batch, env) {
    instruments.queueBatches += 1;
    instruments.queueMessages += batch.messages.length;
    return consume(batch, instruments.around("consumer", env));
  },
} satisfies ExportedHandler<BenchEnv>;
