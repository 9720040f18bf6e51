// The timeline of an alert as SQL, complete: the chunks of a long one, then the entries in its row.
import { type SQL, sql } from "drizzle-orm";
import { alerts, alertTimelines } from "../../schema/alerts.ts";

/** For selects from `alerts`: the whole timeline, a JSON list of stored entries. */
export const timelineOfAlert: SQL = sql`iif(${alerts.timelineFrom} = 0, ${alerts.timeline},
  (select json_group_array(json(entry)) from (
    select entry from (select earlier.value as entry
      from ${alertTimelines}, json_each(${alertTimelines.entries}) as earlier
      where ${alertTimelines.accountId} = ${alerts.accountId}
        and ${alertTimelines.alertId} = ${alerts.id}
        and ${alertTimelines.firstSequence} < ${alerts.timelineFrom}
      order by ${alertTimelines.firstSequence}, earlier.key)
    union all
    select latest.value from json_each(${alerts.timeline}) as latest)))`;
