ALTER TABLE `events` ADD `begins_at` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `turn_offset` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `empty_positions` text DEFAULT '[]' NOT NULL;