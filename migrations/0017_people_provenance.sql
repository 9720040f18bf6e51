CREATE TABLE `security_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`user_id` text NOT NULL,
	`to` text NOT NULL,
	`kind` text NOT NULL,
	`detail` text NOT NULL,
	`account_id` text,
	`by_user_id` text,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `security_notices_user` ON `security_notices` (`user_id`,`id`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `self_made` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user_emails` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `user_phones` ADD `confirmed_by_self` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `user_phones` ADD `account_id` text;