// The alerts of the last 30 days that are like another: of the same source, with the same title but
// for its numbers. No index lists the alerts of a source: those of the alert's destination and of
// its `Id` are looked at, a bounded number, whatever the account has.
import { type SQL, sql } from "drizzle-orm";
import { findSimilar } from "../../../domain/alerts/similar-alerts.ts";
import type { Identifier } from "../../../domain/shared/identifiers.ts";
import { notFound, type Refusal } from "../../../domain/shared/refusal.ts";
import { firstIdentifierAt } from "../../../domain/shared/retention.ts";
import { DAY, formatInstant } from "../../../domain/shared/time.ts";
import { oneRecord } from "../../../kernel/db/records.ts";
import { batch, parsed, type RowOf, select, truth } from "../../../kernel/db/select.ts";
import type { Context } from "../../change/context.ts";
import { alertDestinations, alerts } from "../../schema/alerts.ts";
import { comments } from "../../schema/messages.ts";
import type { SimilarAlert, SimilarAlerts } from "./contract.ts";

const PERIOD_MS = 30 * DAY;

/** How many alerts of the first destination, and with the same `Id`, are looked at. */
const MAX_OF_DESTINATION = 500;
const MAX_OF_IDENTIFIER = 100;

/** The longest comment that is shown (characters). */
const MAX_COMMENT = 500;

/** What of an alert decides which are like it. */
const selectIt = (accountId: string, identifier: Identifier): SQL => sql`select ${alerts.id} as id,
    ${alerts.title} as title, ${alerts.sourceId} as source_id, ${alerts.thirdpartyId} as thirdparty_id,
    coalesce(${alerts.workflows} ->> '$[0].to', ${alerts.destinationTeamIds} ->> '$[0]',
      ${alerts.destinationAccountUserIds} ->> '$[0]') as destination_id
  from ${alerts} where ${oneRecord(alerts, accountId, identifier)}`;

/** The alerts that are looked at, newest first, by each index that finds some: of the alert in `it`. */
const lookedAt = (accountId: string, from: string) => [
  {
    ids: sql`select ${alertDestinations.alertId} as id from ${alertDestinations}
      where ${alertDestinations.accountId} = ${accountId}
        and ${alertDestinations.destinationId} = (select destination_id from it)
        and ${alertDestinations.alertId} >= ${from} order by ${alertDestinations.alertId} desc`,
    most: MAX_OF_DESTINATION,
  },
  {
    ids: sql`select ${alerts.id} as id from ${alerts} indexed by alerts_thirdparty
      where ${alerts.accountId} = ${accountId}
        and ${alerts.thirdpartyId} = (select thirdparty_id from it)
        and ${alerts.id} >= ${from} order by ${alerts.id} desc`,
    most: MAX_OF_IDENTIFIER,
  },
];

type LastComment = { readonly body: string; readonly by: string | null; readonly at: number };

/** As the timeline begins the line of it. */
const RESOLVED_BY = "Resolved by ";

const columns = {
  id: alerts.id,
  title: alerts.title,
  status: alerts.status,
  createdAt: alerts.createdAt,
  resolvedAt: alerts.resolvedAt,
  resolvedBy: sql<
    string | null
  >`iif(${alerts.status} = 'resolved' and ${alerts.mergedIntoId} is null,
    (select substr(value ->> 1, ${RESOLVED_BY.length + 1}) from json_each(${alerts.timeline})
      where value ->> 1 glob ${`${RESOLVED_BY}*`} order by key desc limit 1), null)`,
  lastComment:
    parsed<LastComment | null>(sql`(select json_object('body', substr(${comments.body}, 1, ${MAX_COMMENT}),
      'by', ${comments.createdByName}, 'at', ${comments.createdAt})
    from ${comments} where ${comments.accountId} = ${alerts.accountId}
      and ${comments.commentableId} = ${alerts.id} order by ${comments.createdAt} desc limit 1)`),
};

/** Selects the alert's title, and whether more alerts would have to be looked at. */
function selectTitle(accountId: string, identifier: Identifier, from: string) {
  const beyond = lookedAt(accountId, from).map(
    ({ ids, most }) => sql`exists (${ids} limit 1 offset ${most})`,
  );
  return select(
    { title: sql<string>`title`, hasMore: truth(sql`has_more`) },
    sql`from (with it as materialized (${selectIt(accountId, identifier)})
      select title, ${sql.join(beyond, sql` or `)} as has_more from it)`,
  );
}

/** Selects those looked at that are of the alert's source, newest first. */
function selectOfSource(accountId: string, identifier: Identifier, from: string) {
  const parts = lookedAt(accountId, from).map(
    ({ ids, most }) => sql`select id from (${ids} limit ${most})`,
  );
  return select(
    columns,
    sql`from (with it as materialized (${selectIt(accountId, identifier)})
        select near.id, it.source_id from it cross join (${sql.join(parts, sql` union `)}) as near
          on near.id <> it.id) as near
      cross join ${alerts} on ${alerts.accountId} = ${accountId} and ${alerts.id} = near.id
      where ${alerts.sourceId} = near.source_id order by ${alerts.id} desc`,
  );
}

function toSimilar({ lastComment, ...alert }: RowOf<typeof columns>): SimilarAlert {
  return {
    alert_id: alert.id,
    title: alert.title,
    status: alert.status,
    created_at: formatInstant(alert.createdAt),
    resolved_at: alert.resolvedAt === null ? null : formatInstant(alert.resolvedAt),
    resolved_by: alert.resolvedBy,
    last_comment: lastComment && {
      body: lastComment.body,
      created_by_name: lastComment.by,
      created_at: formatInstant(lastComment.at),
    },
  };
}

/**
 * Finds what is like an alert. One round trip.
 *
 * @returns 404 for an unknown alert
 */
export async function readSimilarAlerts(
  { db, actor: { accountId }, now }: Pick<Context, "db" | "actor" | "now">,
  identifier: Identifier,
): Promise<SimilarAlerts | Refusal> {
  const from = firstIdentifierAt(now - PERIOD_MS);
  const [[it], ofSource] = await batch(db, [
    selectTitle(accountId, identifier, from),
    selectOfSource(accountId, identifier, from),
  ]);
  if (!it) return notFound("alert");
  const { count, shown } = findSimilar(it.title, ofSource);
  return { count, complete: !it.hasMore, alerts: shown.map(toSimilar) };
}
