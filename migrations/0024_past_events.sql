CREATE TABLE `past_events` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`schedule_id` text NOT NULL,
	`root_id` text NOT NULL,
	`from_at` integer NOT NULL,
	`until_at` integer NOT NULL,
	`active_until` integer NOT NULL,
	`events` text NOT NULL,
	`change_id` text NOT NULL,
	`corrected_by_id` text,
	FOREIGN KEY (`schedule_id`) REFERENCES `schedules`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `past_events_active` ON `past_events` (`account_id`,`active_until`) WHERE corrected_by_id is null;--> statement-breakpoint
CREATE INDEX `past_events_root` ON `past_events` (`account_id`,`root_id`);--> statement-breakpoint
CREATE INDEX `past_events_until` ON `past_events` (`account_id`,`until_at`);--> statement-breakpoint
ALTER TABLE `changes` ADD `corrects_past` integer DEFAULT false NOT NULL;