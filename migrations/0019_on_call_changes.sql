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
CREATE INDEX `on_call_changes_account` ON `on_call_changes` (`account_id`);