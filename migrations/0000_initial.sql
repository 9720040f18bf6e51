CREATE TABLE `alert_workflows` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`version` integer NOT NULL,
	`alert_id` text NOT NULL,
	`destination_type` text NOT NULL,
	`destination_id` text NOT NULL,
	`state` text NOT NULL,
	`layer` integer,
	`pass` integer DEFAULT 1 NOT NULL,
	`account_user_ids` text DEFAULT '[]' NOT NULL,
	`next_step_at` integer
);
--> statement-breakpoint
CREATE INDEX `alert_workflows_alert` ON `alert_workflows` (`account_id`,`alert_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `alert_workflows_destination` ON `alert_workflows` (`account_id`,`destination_id`,`created_at`,`alert_id`);--> statement-breakpoint
CREATE TABLE `alerts` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
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
	`source_type` text,
	`source_log_id` text,
	`thirdparty_id` text,
	`dedup_keys` text DEFAULT '[]' NOT NULL,
	`dedup_count` integer DEFAULT 0 NOT NULL,
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
	`next_step_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alerts_prefix_id` ON `alerts` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `alerts_created` ON `alerts` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_status` ON `alerts` (`account_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `alerts_thirdparty` ON `alerts` (`account_id`,`thirdparty_id`);--> statement-breakpoint
CREATE INDEX `alerts_next_step` ON `alerts` (`next_step_at`);--> statement-breakpoint
CREATE TABLE `logs` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`format` text DEFAULT 'json' NOT NULL,
	`level` text DEFAULT 'info' NOT NULL,
	`owner_type` text NOT NULL,
	`owner_id` text NOT NULL,
	`message` text NOT NULL,
	`request` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logs_prefix_id` ON `logs` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `logs_created` ON `logs` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `logs_owner` ON `logs` (`account_id`,`owner_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`effect_id` text NOT NULL,
	`alert_id` text,
	`broadcast_id` text,
	`workflow_id` text,
	`layer` integer,
	`pass` integer,
	`account_user_id` text NOT NULL,
	`channel` text NOT NULL,
	`to` text,
	`event` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`provider_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`claimed_until` integer,
	`sent_at` integer,
	`delivered_at` integer,
	`failed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_prefix_id` ON `notifications` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `notifications_created` ON `notifications` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notifications_alert` ON `notifications` (`account_id`,`alert_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `notifications_broadcast` ON `notifications` (`account_id`,`broadcast_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `notifications_provider` ON `notifications` (`provider_id`);--> statement-breakpoint
CREATE TABLE `sublogs` (
	`account_id` text NOT NULL,
	`log_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`time` integer NOT NULL,
	`level` text NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`account_id`, `log_id`, `sequence`)
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
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
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
	`rules` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notification_rules_prefix_id` ON `notification_rules` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `notification_rules_created` ON `notification_rules` (`account_id`,`created_at`,`id`);--> statement-breakpoint
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
	`rotation` integer DEFAULT false NOT NULL
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
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_prefix_id` ON `api_keys` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `api_keys_created` ON `api_keys` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account_user` ON `api_keys` (`account_user_id`);--> statement-breakpoint
CREATE TABLE `user_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`primary` integer DEFAULT false NOT NULL,
	`blocked_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `user_emails_email` ON `user_emails` (`email`);--> statement-breakpoint
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
	`meta` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_prefix_id` ON `users` (`prefix_id`);