CREATE TABLE `covers` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`covered_by` text NOT NULL,
	`covering_account_user_id` text,
	`schedule_ids` text,
	`reason` text,
	`decided_at` integer NOT NULL,
	`released` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`covering_account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE set null
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `covers_prefix_id` ON `covers` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `covers_created` ON `covers` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `covers_end` ON `covers` (`account_id`,`end_at`);--> statement-breakpoint
ALTER TABLE `events` ADD `cover_id` text;--> statement-breakpoint
ALTER TABLE `events` ADD `leaves_empty` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `events_cover` ON `events` (`account_id`,`cover_id`) WHERE "events"."cover_id" is not null;
--> statement-breakpoint
CREATE TRIGGER covers_total_down AFTER DELETE ON covers BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'covers';
END;
--> statement-breakpoint
CREATE TRIGGER covers_total_up AFTER INSERT ON covers BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'covers', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
