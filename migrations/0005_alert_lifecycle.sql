ALTER TABLE `alerts` ADD `snoozed_until` integer;--> statement-breakpoint
ALTER TABLE `alerts` ADD `merged_into_id` text;--> statement-breakpoint
DROP VIEW alert_workflows;--> statement-breakpoint
CREATE VIEW alert_workflows AS
  SELECT value ->> 'id' AS id, alerts.account_id AS account_id, alerts.created_at + (value ->> 'created') AS created_at,
    alerts.created_at + (value ->> 'updated') AS updated_at, '{}' AS meta, alerts.version AS version, alerts.id AS alert_id,
    coalesce(value ->> 'type', 'team') AS destination_type, value ->> 'to' AS destination_id, value ->> 'state' AS state,
    coalesce(value ->> 'requested', 0) AS is_requested,
    value ->> 'layer' AS layer, coalesce(value ->> 'pass', 1) AS pass,
    coalesce(value -> 'people', '[]') AS account_user_ids, alerts.created_at + (value ->> 'next') AS next_step_at
  FROM alerts, json_each(alerts.workflows);
