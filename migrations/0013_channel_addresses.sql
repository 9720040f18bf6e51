CREATE TABLE `channel_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`channel` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`settings` text NOT NULL,
	`confirmed_at` integer,
	`code_hash` text,
	`code_sent_at` integer,
	`code_attempts` integer DEFAULT 0 NOT NULL,
	`failing_since` integer,
	`failure` text,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `channel_addresses_prefix_id` ON `channel_addresses` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `channel_addresses_own` ON `channel_addresses` (`account_id`,`account_user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `channel_addresses_person` ON `channel_addresses` (`account_user_id`,`channel`);--> statement-breakpoint
ALTER TABLE `notifications` ADD `closed_at` integer;