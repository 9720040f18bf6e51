CREATE TABLE `invitation_sends` (
	`account_id` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitation_sends_account` ON `invitation_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE TABLE `removed_members` (
	`account_user_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`user_id` text,
	`removed_at` integer,
	`requested_at` integer,
	`progress` text
);
--> statement-breakpoint
CREATE INDEX `removed_members_user` ON `removed_members` (`user_id`);--> statement-breakpoint
CREATE INDEX `removed_members_removed` ON `removed_members` (`removed_at`);