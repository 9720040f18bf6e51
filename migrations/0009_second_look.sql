CREATE TABLE `watched_accounts` (
	`account_id` text PRIMARY KEY NOT NULL,
	`until` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `absence_calendars` ADD `region` text;--> statement-breakpoint
DROP VIEW log_entries;--> statement-breakpoint
CREATE VIEW log_entries AS
  SELECT id, prefix_id, account_id, created_at, updated_at, meta, level, owner_type, owner_id, message,
    request, steps, alert_id FROM logs
  UNION ALL
  SELECT alerts.id, CAST('log_' || substr(alerts.prefix_id, 5) AS TEXT), alerts.account_id, alerts.created_at,
    alerts.updated_at, CAST('{}' AS TEXT), CAST('info' AS TEXT), CAST('Alert' AS TEXT), alerts.id,
    CAST('Timeline of ' || alerts.prefix_id AS TEXT), CAST(NULL AS TEXT),
    CAST(iif(alerts.timeline_from = 0, alerts.timeline, (SELECT json_group_array(json(entry)) FROM (
      SELECT entry FROM (SELECT earlier.value AS entry FROM alert_timelines, json_each(alert_timelines.entries) AS earlier
        WHERE alert_timelines.account_id = alerts.account_id AND alert_timelines.alert_id = alerts.id
          AND alert_timelines.first_sequence < alerts.timeline_from
        ORDER BY alert_timelines.first_sequence, earlier.key)
      UNION ALL SELECT latest.value FROM json_each(alerts.timeline) AS latest))) AS TEXT),
    CAST(NULL AS TEXT)
  FROM alerts;
