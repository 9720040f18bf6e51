CREATE TABLE `push_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`endpoint` text NOT NULL,
	`p256dh` text NOT NULL,
	`auth` text NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_prefix_id` ON `push_subscriptions` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `push_subscriptions_created` ON `push_subscriptions` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `push_subscriptions_endpoint` ON `push_subscriptions` (`account_user_id`,`endpoint`);