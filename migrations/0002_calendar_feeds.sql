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
CREATE INDEX `calendar_feeds_person` ON `calendar_feeds` (`person_id`);