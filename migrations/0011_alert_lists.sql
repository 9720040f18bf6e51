CREATE TABLE `bulk_operations` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`action` text NOT NULL,
	`team_id` text,
	`filter` text DEFAULT '{}' NOT NULL,
	`status` text NOT NULL,
	`total_count` integer NOT NULL,
	`changed_count` integer DEFAULT 0 NOT NULL,
	`unchanged_count` integer DEFAULT 0 NOT NULL,
	`refused_count` integer DEFAULT 0 NOT NULL,
	`refusals` text DEFAULT '[]' NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bulk_operations_prefix_id` ON `bulk_operations` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `bulk_operations_created` ON `bulk_operations` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `saved_filters` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_filters_prefix_id` ON `saved_filters` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `saved_filters_name` ON `saved_filters` (`account_id`,`account_user_id`,`name`);--> statement-breakpoint
CREATE INDEX `saved_filters_own` ON `saved_filters` (`account_id`,`account_user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TRIGGER bulk_operations_total_down AFTER DELETE ON bulk_operations BEGIN
  UPDATE list_totals SET total = total - 1 WHERE account_id = OLD.account_id AND name = 'bulk_operations';
END;
--> statement-breakpoint
CREATE TRIGGER bulk_operations_total_up AFTER INSERT ON bulk_operations BEGIN
  INSERT INTO list_totals (account_id, name, total) VALUES (NEW.account_id, 'bulk_operations', 1)
    ON CONFLICT (account_id, name) DO UPDATE SET total = total + 1;
END;
