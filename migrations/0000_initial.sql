CREATE TABLE `alert_destinations` (
	`account_id` text NOT NULL,
	`destination_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`escalated` integer NOT NULL,
	PRIMARY KEY(`account_id`, `destination_id`, `alert_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `alert_destinations_not_escalated` ON `alert_destinations` (`account_id`,`destination_id`) WHERE not escalated;--> statement-breakpoint
CREATE TABLE `alert_timelines` (
	`account_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`first_sequence` integer NOT NULL,
	`entries` text NOT NULL,
	PRIMARY KEY(`account_id`, `alert_id`, `first_sequence`)
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text NOT NULL,
	`prefix_id` text GENERATED ALWAYS AS (('alt_' || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 11, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 16, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 17, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 22, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 23, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 27, 1)) - 1)) >> 1) & 63), 1))) VIRTUAL NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`version` integer NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`status` text NOT NULL,
	`urgency` text NOT NULL,
	`source_id` text,
	`source_type` text GENERATED ALWAYS AS (iif(source_log_id is null, 'AccountUser', 'Integration')) VIRTUAL,
	`source_log_id` text,
	`thirdparty_id` text,
	`dedup_keys` text DEFAULT '[]' NOT NULL,
	`dedup_count` integer DEFAULT 0 NOT NULL,
	`aggregated_into_id` text,
	`tags` text DEFAULT '[]' NOT NULL,
	`destination_team_ids` text DEFAULT '[]' NOT NULL,
	`destination_router_ids` text DEFAULT '[]' NOT NULL,
	`destination_account_user_ids` text DEFAULT '[]' NOT NULL,
	`additional_data` text DEFAULT '[]' NOT NULL,
	`incident` integer DEFAULT false NOT NULL,
	`incident_severity` text,
	`incident_message` text,
	`acknowledged_at` integer,
	`resolved_at` integer,
	`next_step_at` integer,
	`workflows` text DEFAULT '[]' NOT NULL,
	`timeline` text DEFAULT '[]' NOT NULL,
	`timeline_from` integer DEFAULT 0 NOT NULL,
	`state` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_id` ON `alerts` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_thirdparty` ON `alerts` (`account_id`,`thirdparty_id`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_unresolved` ON `alerts` (`account_id`,`status`,`id`) WHERE status <> 'resolved';--> statement-breakpoint
CREATE TABLE `logs` (
	`id` text NOT NULL,
	`prefix_id` text GENERATED ALWAYS AS (('log_' || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 11, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 12, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 13, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 14, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 15, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 16, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 17, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 18, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 19, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 20, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1)) >> 1) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 21, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 22, 1)) - 1)) >> 0) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 23, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1)) >> 4) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 24, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1)) >> 3) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 25, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1)) >> 2) & 63), 1) || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 1 + ((((instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 26, 1)) - 1) * 32 + (instr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 27, 1)) - 1)) >> 1) & 63), 1))) VIRTUAL NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`level` text DEFAULT 'info' NOT NULL,
	`owner_type` text NOT NULL,
	`owner_id` text NOT NULL,
	`message` text NOT NULL,
	`request` text,
	`steps` text DEFAULT '[]' NOT NULL,
	`alert_id` text,
	`state` text,
	PRIMARY KEY(`account_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `logs_owner` ON `logs` (`account_id`,`owner_id`,`id`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`account_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`id` text NOT NULL,
	`owner_id` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`effect` text NOT NULL,
	`workflow_id` text,
	`layer` integer,
	`pass` integer,
	`channel` text NOT NULL,
	`to` text,
	`event` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`provider_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`stage` integer DEFAULT 0 NOT NULL,
	`alert_version` integer,
	`bundle` text,
	`due_at` integer,
	`claimed_until` integer,
	`sent_at` integer,
	`delivered_at` integer,
	`failed_at` integer,
	`alert_id` text GENERATED ALWAYS AS (case when substr(event, 1, 6) = 'alert.' then owner_id end) VIRTUAL,
	`broadcast_id` text GENERATED ALWAYS AS (case when event = 'broadcast.sent' then owner_id end) VIRTUAL,
	`effect_id` text GENERATED ALWAYS AS (iif(substr(effect, 1, 1) = ':', owner_id, '') || effect) VIRTUAL NOT NULL,
	PRIMARY KEY(`account_id`, `account_user_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `notifications_owner` ON `notifications` (`account_id`,`owner_id`);--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`account_id`,`account_user_id`,`channel`,`bundle`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX `notifications_bundled` ON `notifications` (`account_id`,`account_user_id`,`provider_id`) WHERE due_at is not null and provider_id is not null;--> statement-breakpoint
CREATE INDEX `notifications_notice` ON `notifications` (`id`) WHERE substr(event, 1, 6) <> 'alert.';--> statement-breakpoint
CREATE TABLE `database_size` (
	`id` integer PRIMARY KEY NOT NULL,
	`measured_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`freed` integer DEFAULT 0 NOT NULL,
	`reclaiming` integer DEFAULT false NOT NULL,
	`warned_at` integer DEFAULT 0 NOT NULL,
	`archive_failed_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`account_id` text NOT NULL,
	`api_key_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`record_id` text NOT NULL,
	`status` integer,
	`answer` text DEFAULT '{}' NOT NULL,
	`claimed_until` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`api_key_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expires` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `list_totals` (
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`total` integer NOT NULL,
	`counted_to` text,
	PRIMARY KEY(`account_id`, `name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `member_removals` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `member_removals_account` ON `member_removals` (`account_id`);--> statement-breakpoint
CREATE TABLE `on_call_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`version` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `on_call_changes_account` ON `on_call_changes` (`account_id`);--> statement-breakpoint
CREATE TABLE `calendar_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`account_user_id` text NOT NULL,
	`schedule_id` text,
	`team_id` text,
	`person_id` text,
	`secret_hash` text NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_secret` ON `calendar_feeds` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_prefix_id` ON `calendar_feeds` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_created` ON `calendar_feeds` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_account_user` ON `calendar_feeds` (`account_user_id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_schedule` ON `calendar_feeds` (`schedule_id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_team` ON `calendar_feeds` (`team_id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_person` ON `calendar_feeds` (`person_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`integration_id` text NOT NULL,
	`effect_id` text NOT NULL,
	`event` text NOT NULL,
	`alert_id` text,
	`lane` text NOT NULL,
	`happened_at` integer NOT NULL,
	`sequence` integer NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`said` text DEFAULT '{}' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`queued_at` integer NOT NULL,
	`next_at` integer,
	`attempted_at` integer,
	`response_code` integer,
	`reason` text,
	`delivered_at` integer,
	`failed_at` integer,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_prefix_id` ON `deliveries` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_effect` ON `deliveries` (`integration_id`,`effect_id`);--> statement-breakpoint
CREATE INDEX `deliveries_created` ON `deliveries` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `deliveries_integration` ON `deliveries` (`account_id`,`integration_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `deliveries_waiting` ON `deliveries` (`integration_id`,`lane`,`happened_at`,`sequence`) WHERE status = 'queued';--> statement-breakpoint
CREATE INDEX `deliveries_next` ON `deliveries` (`next_at`) WHERE status = 'queued';--> statement-breakpoint
CREATE TABLE `integration_receivers` (
	`account_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`receiver_type` text NOT NULL,
	`receiver_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `receiver_type`, `receiver_id`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `integration_receivers_receiver` ON `integration_receivers` (`account_id`,`receiver_id`);--> statement-breakpoint
CREATE TABLE `integrations` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`urgency` text NOT NULL,
	`integration_type` text NOT NULL,
	`options` text DEFAULT '{}' NOT NULL,
	`secrets` text DEFAULT '{}' NOT NULL,
	`intake_key` text NOT NULL,
	`region` text,
	`received_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_prefix_id` ON `integrations` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `integrations_inbox` ON `integrations` (`prefix_id`);--> statement-breakpoint
CREATE INDEX `integrations_created` ON `integrations` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `integrations_type` ON `integrations` (`account_id`,`integration_type`);--> statement-breakpoint
CREATE TABLE `maintenance_window_integrations` (
	`account_id` text NOT NULL,
	`maintenance_window_id` text NOT NULL,
	`integration_id` text NOT NULL,
	PRIMARY KEY(`maintenance_window_id`, `integration_id`),
	FOREIGN KEY (`maintenance_window_id`) REFERENCES `maintenance_windows`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `maintenance_window_integrations_integration` ON `maintenance_window_integrations` (`integration_id`);--> statement-breakpoint
CREATE TABLE `maintenance_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`time_zone` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `maintenance_windows_prefix_id` ON `maintenance_windows` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `maintenance_windows_created` ON `maintenance_windows` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `notification_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`rules` text DEFAULT '' NOT NULL,
	`types` text DEFAULT '["alert.open"]' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_rules_prefix_id` ON `notification_rules` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `notification_rules_created` ON `notification_rules` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `router_receivers` (
	`account_id` text NOT NULL,
	`router_id` text NOT NULL,
	`receiver_type` text NOT NULL,
	`receiver_id` text NOT NULL,
	PRIMARY KEY(`router_id`, `receiver_type`, `receiver_id`),
	FOREIGN KEY (`router_id`) REFERENCES `routers`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `router_receivers_receiver` ON `router_receivers` (`account_id`,`receiver_id`);--> statement-breakpoint
CREATE TABLE `routers` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`enabled` integer DEFAULT true NOT NULL,
	`rules` text DEFAULT '' NOT NULL,
	`default_receiver_type` text NOT NULL,
	`default_receiver_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `routers_prefix_id` ON `routers` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `routers_created` ON `routers` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `invitation_sends` (
	`account_id` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitation_sends_account` ON `invitation_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE TABLE `broadcast_response_options` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`broadcast_id` text NOT NULL,
	`value` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`broadcast_id`) REFERENCES `broadcasts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `broadcast_response_options_broadcast` ON `broadcast_response_options` (`broadcast_id`,`position`);--> statement-breakpoint
CREATE TABLE `broadcast_responses` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`broadcast_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`broadcast_response_option_id` text NOT NULL,
	`channel` text NOT NULL,
	FOREIGN KEY (`broadcast_id`) REFERENCES `broadcasts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `broadcast_responses_person` ON `broadcast_responses` (`broadcast_id`,`account_user_id`);--> statement-breakpoint
CREATE TABLE `broadcasts` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`tags` text DEFAULT '[]' NOT NULL,
	`status` text DEFAULT 'queued' NOT NULL,
	`response_requested` integer DEFAULT false NOT NULL,
	`response_requested_by` integer,
	`destination_team_ids` text DEFAULT '[]' NOT NULL,
	`destination_account_user_ids` text DEFAULT '[]' NOT NULL,
	`account_user_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `broadcasts_prefix_id` ON `broadcasts` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `broadcasts_created` ON `broadcasts` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `comments` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`body` text NOT NULL,
	`commentable_type` text,
	`commentable_id` text,
	`parent_id` text,
	`account_user_id` text,
	`created_by_name` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `comments_prefix_id` ON `comments` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `comments_created` ON `comments` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `comments_commentable` ON `comments` (`account_id`,`commentable_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `escalation_layers` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`escalation_policy_id` text NOT NULL,
	`layer` integer NOT NULL,
	`timeout` integer NOT NULL,
	`timeout_unit` text DEFAULT 'minutes' NOT NULL,
	`color_hex` text,
	FOREIGN KEY (`escalation_policy_id`) REFERENCES `escalation_policies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `escalation_layers_policy` ON `escalation_layers` (`account_id`,`escalation_policy_id`,`layer`);--> statement-breakpoint
CREATE TABLE `escalation_policies` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`repeat` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `escalation_policies_prefix_id` ON `escalation_policies` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `escalation_policies_created` ON `escalation_policies` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `escalation_reassignments` (
	`account_id` text NOT NULL,
	`escalation_policy_id` text NOT NULL,
	`receiver_type` text NOT NULL,
	`receiver_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`escalation_policy_id`, `receiver_type`, `receiver_id`),
	FOREIGN KEY (`escalation_policy_id`) REFERENCES `escalation_policies`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `escalation_reassignments_receiver` ON `escalation_reassignments` (`account_id`,`receiver_id`);--> statement-breakpoint
CREATE TABLE `event_attendees` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`event_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`position` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `event_attendees_event` ON `event_attendees` (`event_id`,`position`);--> statement-breakpoint
CREATE INDEX `event_attendees_person` ON `event_attendees` (`account_id`,`account_user_id`);--> statement-breakpoint
CREATE TABLE `event_exceptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`event_id` text NOT NULL,
	`start_at` integer NOT NULL,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_exceptions_event` ON `event_exceptions` (`event_id`,`start_at`);--> statement-breakpoint
CREATE TABLE `event_schedules` (
	`account_id` text NOT NULL,
	`schedule_id` text NOT NULL,
	`event_id` text NOT NULL,
	`active_until` integer DEFAULT 9007199254740991 NOT NULL,
	PRIMARY KEY(`event_id`, `schedule_id`),
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `event_schedules_active` ON `event_schedules` (`account_id`,`schedule_id`,`active_until`);--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`parent_id` text,
	`overridden_start_at` integer,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`layer` integer NOT NULL,
	`time_zone` text NOT NULL,
	`repeat` integer DEFAULT false NOT NULL,
	`frequency` integer,
	`frequency_unit` text,
	`days_of_week` text DEFAULT '[]' NOT NULL,
	`repeat_end_at` integer,
	`cut_at` integer,
	`begins_at` integer,
	`rotation` integer DEFAULT false NOT NULL,
	`turn_offset` integer DEFAULT 0 NOT NULL,
	`empty_positions` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_prefix_id` ON `events` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `events_created` ON `events` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `events_parent` ON `events` (`account_id`,`parent_id`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_prefix_id` ON `schedules` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `schedules_created` ON `schedules` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `team_people` (
	`account_id` text NOT NULL,
	`team_id` text NOT NULL,
	`relation` text NOT NULL,
	`account_user_id` text NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`team_id`, `relation`, `account_user_id`),
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `team_people_person` ON `team_people` (`account_id`,`account_user_id`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`name` text NOT NULL,
	`notes` text,
	`schedule_id` text,
	`escalation_policy_id` text,
	`drop_notifications` text DEFAULT 'team_admins' NOT NULL,
	`handoff_notifications` text DEFAULT 'none' NOT NULL,
	`attachments` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`escalation_policy_id`) REFERENCES `escalation_policies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `teams_prefix_id` ON `teams` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `teams_created` ON `teams` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `teams_schedule` ON `teams` (`account_id`,`schedule_id`);--> statement-breakpoint
CREATE INDEX `teams_policy` ON `teams` (`account_id`,`escalation_policy_id`);--> statement-breakpoint
CREATE TABLE `account_users` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`user_id` text NOT NULL,
	`state` text DEFAULT 'active' NOT NULL,
	`invited_name` text,
	`invited_email` text,
	`admin` integer DEFAULT false NOT NULL,
	`billing` integer DEFAULT false NOT NULL,
	`broadcaster` integer DEFAULT false NOT NULL,
	`communicator` integer DEFAULT false NOT NULL,
	`notification_rule_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `account_users_user` ON `account_users` (`account_id`,`user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_users_prefix_id` ON `account_users` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `account_users_created` ON `account_users` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `account_users_of_user` ON `account_users` (`user_id`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`name` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`key_hash` text NOT NULL,
	`read_only` integer DEFAULT false NOT NULL,
	`self_made` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_prefix_id` ON `api_keys` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `api_keys_created` ON `api_keys` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account_user` ON `api_keys` (`account_user_id`);--> statement-breakpoint
CREATE TABLE `email_link_sends` (
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_link_sends_account` ON `email_link_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `email_link_sends_email` ON `email_link_sends` (`email`,`sent_at`);--> statement-breakpoint
CREATE TABLE `phone_code_sends` (
	`account_id` text NOT NULL,
	`phone` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `phone_code_sends_account` ON `phone_code_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `phone_code_sends_phone` ON `phone_code_sends` (`phone`,`sent_at`);--> statement-breakpoint
CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_prefix_id` ON `push_subscriptions` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_created` ON `push_subscriptions` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_own` ON `push_subscriptions` (`account_id`,`account_user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint` ON `push_subscriptions` (`account_user_id`,`endpoint`);--> statement-breakpoint
CREATE TABLE `security_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text NOT NULL,
	`to` text NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL,
	`account_id` text,
	`by_user_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_notices_user` ON `security_notices` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `user_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`primary` integer DEFAULT false NOT NULL,
	`blocked_at` integer,
	`verified_at` integer,
	`account_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_emails_verified` ON `user_emails` (`email`) WHERE verified_at is not null;--> statement-breakpoint
CREATE INDEX `user_emails_user` ON `user_emails` (`user_id`);--> statement-breakpoint
CREATE TABLE `user_phones` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`user_id` text NOT NULL,
	`phone` text NOT NULL,
	`primary` integer DEFAULT false NOT NULL,
	`country` text,
	`blocked` integer DEFAULT false NOT NULL,
	`confirmation_method` text DEFAULT 'sms' NOT NULL,
	`confirmed_at` integer,
	`confirmed_by_self` integer DEFAULT false NOT NULL,
	`account_id` text,
	`code_hash` text,
	`code_sent_at` integer,
	`code_attempts` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_phones_user` ON `user_phones` (`user_id`);--> statement-breakpoint
CREATE INDEX `user_phones_phone` ON `user_phones` (`phone`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`name` text NOT NULL,
	`time_zone` text DEFAULT 'UTC' NOT NULL,
	`preferred_language` text DEFAULT 'en' NOT NULL,
	`notify_push` integer DEFAULT true NOT NULL,
	`notify_email` integer DEFAULT true NOT NULL,
	`notify_sms` integer DEFAULT false NOT NULL,
	`notify_voice` integer DEFAULT false NOT NULL,
	`last_sign_in_at` integer,
	`password_hash` text,
	`password_expired` integer DEFAULT true NOT NULL,
	`first_password_until` integer,
	`meta` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_prefix_id` ON `users` (`prefix_id`);--> statement-breakpoint
CREATE TABLE `removed_members` (
	`account_user_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text,
	`removed_at` integer,
	`requested_at` integer,
	`progress` text
);
--> statement-breakpoint
CREATE INDEX `removed_members_user` ON `removed_members` (`user_id`);--> statement-breakpoint
CREATE INDEX `removed_members_removed` ON `removed_members` (`removed_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`user_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`browser` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sign_in_attempts` (
	`email_hash` text NOT NULL,
	`address` text NOT NULL,
	`attempted_at` integer NOT NULL,
	`checking_until` integer
);
--> statement-breakpoint
CREATE INDEX `sign_in_attempts_email` ON `sign_in_attempts` (`email_hash`,`attempted_at`);--> statement-breakpoint
CREATE INDEX `sign_in_attempts_address` ON `sign_in_attempts` (`address`,`attempted_at`);--> statement-breakpoint
CREATE INDEX `sign_in_attempts_at` ON `sign_in_attempts` (`attempted_at`);--> statement-breakpoint
CREATE TABLE `user_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `user_identities_user` ON `user_identities` (`user_id`);
--> statement-breakpoint
CREATE TRIGGER account_users_contacts_down AFTER DELETE ON account_users BEGIN
  DELETE FROM user_emails WHERE user_id = OLD.user_id AND account_id = OLD.account_id AND verified_at IS NULL;
  DELETE FROM user_phones WHERE user_id = OLD.user_id AND account_id = OLD.account_id
    AND NOT (confirmed_at IS NOT NULL AND confirmed_by_self);
END;
--> statement-breakpoint
CREATE TRIGGER account_users_left AFTER DELETE ON account_users BEGIN
  INSERT INTO removed_members (account_user_id, account_id, user_id, removed_at)
    VALUES (OLD.id, OLD.account_id, OLD.user_id, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (account_user_id) DO UPDATE SET user_id = excluded.user_id, removed_at = excluded.removed_at;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_removed AFTER DELETE ON account_users BEGIN
  INSERT OR IGNORE INTO member_removals (id, account_id, name)
    SELECT OLD.id, OLD.account_id, users.name FROM users WHERE users.id = OLD.user_id;
END;
--> statement-breakpoint
CREATE TRIGGER account_users_total_down AFTER DELETE ON account_users BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'account_users';
END;
--> statement-breakpoint
CREATE TRIGGER account_users_total_up AFTER INSERT ON account_users BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'account_users', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_total_down AFTER DELETE ON api_keys BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'api_keys';
END;
--> statement-breakpoint
CREATE TRIGGER api_keys_total_up AFTER INSERT ON api_keys BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'api_keys', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER broadcasts_total_down AFTER DELETE ON broadcasts BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'broadcasts';
END;
--> statement-breakpoint
CREATE TRIGGER broadcasts_total_up AFTER INSERT ON broadcasts BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'broadcasts', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_feeds_total_down AFTER DELETE ON calendar_feeds BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'calendar_feeds';
END;
--> statement-breakpoint
CREATE TRIGGER calendar_feeds_total_up AFTER INSERT ON calendar_feeds BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'calendar_feeds', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER comments_total_down AFTER DELETE ON comments BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'comments';
END;
--> statement-breakpoint
CREATE TRIGGER comments_total_up AFTER INSERT ON comments BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'comments', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_total_down AFTER DELETE ON deliveries BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'deliveries';
END;
--> statement-breakpoint
CREATE TRIGGER deliveries_total_up AFTER INSERT ON deliveries BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'deliveries', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER escalation_policies_total_down AFTER DELETE ON escalation_policies BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'escalation_policies';
END;
--> statement-breakpoint
CREATE TRIGGER escalation_policies_total_up AFTER INSERT ON escalation_policies BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'escalation_policies', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_added AFTER INSERT ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_changed AFTER UPDATE ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_attendees_on_call_removed AFTER DELETE ON event_attendees BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = OLD.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_exceptions_on_call_added AFTER INSERT ON event_exceptions BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_exceptions_on_call_removed AFTER DELETE ON event_exceptions BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = OLD.event_id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_schedules_on_call_added AFTER INSERT ON event_schedules BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.schedule_id, NEW.account_id, 'schedule', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER event_schedules_on_call_removed AFTER DELETE ON event_schedules BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (OLD.schedule_id, OLD.account_id, 'schedule', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER events_on_call AFTER UPDATE ON events BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    SELECT schedule_id, account_id, 'schedule', hex(randomblob(8)) FROM event_schedules
      WHERE event_id = NEW.id
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER events_total_down AFTER DELETE ON events BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'events';
END;
--> statement-breakpoint
CREATE TRIGGER events_total_up AFTER INSERT ON events BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'events', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER integrations_total_down AFTER DELETE ON integrations BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'integrations';
END;
--> statement-breakpoint
CREATE TRIGGER integrations_total_up AFTER INSERT ON integrations BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'integrations', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER maintenance_windows_total_down AFTER DELETE ON maintenance_windows BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'maintenance_windows';
END;
--> statement-breakpoint
CREATE TRIGGER maintenance_windows_total_up AFTER INSERT ON maintenance_windows BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'maintenance_windows', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER notification_rules_total_down AFTER DELETE ON notification_rules BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'notification_rules';
END;
--> statement-breakpoint
CREATE TRIGGER notification_rules_total_up AFTER INSERT ON notification_rules BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'notification_rules', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER push_subscriptions_total_down AFTER DELETE ON push_subscriptions BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'push_subscriptions';
END;
--> statement-breakpoint
CREATE TRIGGER push_subscriptions_total_up AFTER INSERT ON push_subscriptions BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'push_subscriptions', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER routers_total_down AFTER DELETE ON routers BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'routers';
END;
--> statement-breakpoint
CREATE TRIGGER routers_total_up AFTER INSERT ON routers BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'routers', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_total_down AFTER DELETE ON schedules BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'schedules';
END;
--> statement-breakpoint
CREATE TRIGGER schedules_total_up AFTER INSERT ON schedules BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'schedules', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_added AFTER INSERT ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_changed AFTER UPDATE ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.id, NEW.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_on_call_removed AFTER DELETE ON teams BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (OLD.id, OLD.account_id, 'team', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
CREATE TRIGGER teams_total_down AFTER DELETE ON teams BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'teams';
END;
--> statement-breakpoint
CREATE TRIGGER teams_total_up AFTER INSERT ON teams BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'teams', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;

--> statement-breakpoint
CREATE TRIGGER logs_total_late AFTER INSERT ON logs
  WHEN NEW.id <= (SELECT counted_to FROM list_totals WHERE account_id = NEW.account_id AND name = 'logs') BEGIN
  UPDATE list_totals SET total = total + 1 WHERE account_id = NEW.account_id AND name = 'logs';
END;
--> statement-breakpoint
CREATE TRIGGER alerts_total_late AFTER INSERT ON alerts
  WHEN NEW.id <= (SELECT counted_to FROM list_totals WHERE account_id = NEW.account_id AND name = 'alerts')
BEGIN
  UPDATE list_totals SET total = total + 1 WHERE account_id = NEW.account_id AND name = 'alerts';
END;
--> statement-breakpoint
CREATE TRIGGER alert_destinations_total_late AFTER INSERT ON alert_destinations
  WHEN NEW.alert_id <= (SELECT counted_to FROM list_totals
    WHERE account_id = NEW.account_id AND name = 'alert_destinations:' || NEW.destination_id)
BEGIN
  UPDATE list_totals SET total = total + 1
    WHERE account_id = NEW.account_id AND name = 'alert_destinations:' || NEW.destination_id;
END;
--> statement-breakpoint
CREATE VIEW alert_workflows AS
  SELECT value ->> 'id' AS id, alerts.account_id AS account_id, alerts.created_at + (value ->> 'created') AS created_at,
    alerts.created_at + (value ->> 'updated') AS updated_at, '{}' AS meta, alerts.version AS version, alerts.id AS alert_id,
    coalesce(value ->> 'type', 'team') AS destination_type, value ->> 'to' AS destination_id, value ->> 'state' AS state,
    value ->> 'layer' AS layer, coalesce(value ->> 'pass', 1) AS pass,
    coalesce(value -> 'people', '[]') AS account_user_ids, alerts.created_at + (value ->> 'next') AS next_step_at
  FROM alerts, json_each(alerts.workflows);
--> statement-breakpoint
CREATE VIEW log_entries AS
  SELECT id, prefix_id, account_id, created_at, updated_at, meta, level, owner_type, owner_id, message,
    request, steps FROM logs
  UNION ALL
  SELECT alerts.id, CAST('log_' || substr(alerts.prefix_id, 5) AS TEXT), alerts.account_id, alerts.created_at,
    alerts.updated_at, CAST('{}' AS TEXT), CAST('info' AS TEXT), CAST('Alert' AS TEXT), alerts.id,
    CAST('Timeline of ' || alerts.prefix_id AS TEXT), CAST(NULL AS TEXT),
    CAST(iif(alerts.timeline_from = 0, alerts.timeline, (SELECT json_group_array(json(entry)) FROM (
      SELECT entry FROM (SELECT earlier.value AS entry FROM alert_timelines, json_each(alert_timelines.entries) AS earlier
        WHERE alert_timelines.account_id = alerts.account_id AND alert_timelines.alert_id = alerts.id
          AND alert_timelines.first_sequence < alerts.timeline_from
        ORDER BY alert_timelines.first_sequence, earlier.key)
      UNION ALL SELECT latest.value FROM json_each(alerts.timeline) AS latest))) AS TEXT)
  FROM alerts;
