CREATE TABLE `message_turns` (
	`account_id` text NOT NULL,
	`account_user_id` text NOT NULL,
	`channel` text NOT NULL,
	`since` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `account_user_id`, `channel`)
);
--> statement-breakpoint
ALTER TABLE `notifications` ADD `stage` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `notifications` ADD `alert_version` integer;--> statement-breakpoint
ALTER TABLE `notifications` ADD `bundle` text;--> statement-breakpoint
ALTER TABLE `notifications` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `notifications_due` ON `notifications` (`account_id`,`account_user_id`,`due_at`) WHERE due_at is not null;--> statement-breakpoint
ALTER TABLE `notification_rules` ADD `types` text DEFAULT '["alert.open"]' NOT NULL;