CREATE TABLE `event_rosters` (
	`account_id` text NOT NULL,
	`event_id` text NOT NULL,
	`until_at` integer NOT NULL,
	`active_until` integer NOT NULL,
	`rotation` integer NOT NULL,
	`turn_offset` integer NOT NULL,
	`attendees` text NOT NULL,
	`empty_positions` text NOT NULL,
	`cuts` text,
	PRIMARY KEY(`event_id`, `until_at`),
	FOREIGN KEY (`event_id`) REFERENCES `events`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `event_rosters_active` ON `event_rosters` (`account_id`,`active_until`);--> statement-breakpoint
ALTER TABLE `events` ADD `restrictions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `priority` integer DEFAULT 0 NOT NULL;
