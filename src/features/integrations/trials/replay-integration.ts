import { NEWS_MS } from "../../../domain/alerts/news.ts";
import { type Effect, replayPast } from "../../../domain/integrations/flapping.ts";
import { type Identifier, instantOfId } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import { all, batch, first } from "../../../kernel/db/select.ts";
import { minutesOf } from "../../../products/common-options.ts";
import type { Context } from "../../change/context.ts";
import { selectIntegration } from "../inbox/integration-rows.ts";
import type { IntegrationReplay } from "./contract.ts";
import {
  MAX_PAST_ALERTS,
  type PastAlertRow,
  selectOldestRead,
  selectPagesOf,
  selectPastAlerts,
} from "./past-alert-rows.ts";
import type { ReplayIntegration } from "./replay-parameters.ts";

const DAYS = 90;
/** The most alerts that are listed. */
const MAX_LISTED = 200;

/**
 * Replays the integration's alerts of the last 90 days with these options: which messages would not
 * have been sent, and about which of these alerts somebody had answered. Stores and sends nothing.
 *
 * @returns the results; 404
 */
export async function replayIntegration(
  { db, actor, now }: Context,
  identifier: Identifier,
  body: ReplayIntegration,
): Promise<IntegrationReplay | Refusal> {
  const { accountId } = actor;
  const stored = await first(db, selectIntegration(accountId, identifier));
  if (!stored) return notFound("integration");
  const from = now - DAYS * DAY;
  const [found, [oldest]] = await batch(db, [
    selectPastAlerts(accountId, stored.id, from),
    selectOldestRead(accountId, from),
  ]);
  const past = found.slice(0, MAX_PAST_ALERTS);
  const isCut = found.length > past.length;
  const last = isCut ? past.at(-1)?.createdAt : oldest && instantOfId(oldest.id);
  const effects = replayPast(past.toReversed(), {
    pauseMs: minutesOf(body.option_pause_for) ?? 0,
    reopenMs: minutesOf(body.option_reopen_within) ?? 0,
  });
  const ids = effects.map(({ alertId }) => alertId);
  const messages = ids.length === 0 ? [] : await all(db, selectPagesOf(accountId, ids));
  const byAlert = Map.groupBy(messages, ({ alertId }) => alertId);
  const byId = new Map(past.map((it) => [it.id, it]));
  const results = effects.flatMap((effect) => {
    const alert = byId.get(effect.alertId);
    return alert ? [show(effect, alert, byAlert.get(alert.id) ?? [])] : [];
  });
  const answered = results.filter((it) => it.answered);
  const unanswered = results.filter((it) => !it.answered);
  return {
    since: formatInstant(last ?? from),
    complete: last === undefined,
    alerts: past.length,
    paused: effects.filter(({ option }) => option === "pause_for").length,
    continued: effects.filter(({ option }) => option === "reopen_within").length,
    pages: results.reduce((sum, { pages }) => sum + pages, 0),
    answered: answered.length,
    results: [...answered.toReversed(), ...unanswered.toReversed()].slice(0, MAX_LISTED),
  };
}

type Message = { readonly accountUserId: string; readonly createdAt: number };

function show(
  effect: Effect,
  { id, title, urgency, createdAt, isAnswered }: PastAlertRow,
  messages: readonly Message[],
): IntegrationReplay["results"][number] {
  const isContinued = effect.option === "reopen_within";
  const withheld = isContinued
    ? messages.filter(
        (it) =>
          effect.firstId !== null &&
          it.accountUserId !== effect.firstId &&
          it.createdAt < createdAt + NEWS_MS,
      )
    : messages;
  return {
    ...{ alert_id: id, title, urgency, at: formatInstant(createdAt), option: effect.option },
    continues_id: isContinued ? effect.continuesId : null,
    pages: withheld.length,
    answered: isAnswered,
  };
}
