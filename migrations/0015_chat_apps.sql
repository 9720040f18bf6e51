CREATE TABLE `chat_messages` (
	`account_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`alert_id` text NOT NULL,
	`channel` text NOT NULL,
	`message_id` text NOT NULL,
	PRIMARY KEY(`account_id`, `alert_id`, `integration_id`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `chat_messages_integration` ON `chat_messages` (`integration_id`);--> statement-breakpoint
CREATE INDEX `chat_messages_message` ON `chat_messages` (`account_id`,`channel`,`message_id`);--> statement-breakpoint
CREATE TABLE `chat_requests` (
	`account_id` text NOT NULL,
	`integration_id` text NOT NULL,
	`signature` text NOT NULL,
	`received_at` integer NOT NULL,
	PRIMARY KEY(`integration_id`, `signature`),
	FOREIGN KEY (`integration_id`) REFERENCES `integrations`(`id`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `chat_requests_received` ON `chat_requests` (`integration_id`,`received_at`);--> statement-breakpoint
CREATE TABLE `chat_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`prefix_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`account_id` text NOT NULL,
	`meta` text DEFAULT '{}' NOT NULL,
	`account_user_id` text NOT NULL,
	`product` text NOT NULL,
	`workspace_id` text NOT NULL,
	`chat_user_id` text NOT NULL,
	`name` text NOT NULL,
	FOREIGN KEY (`account_user_id`) REFERENCES `account_users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `chat_accounts_prefix_id` ON `chat_accounts` (`account_id`,`prefix_id`);--> statement-breakpoint
CREATE INDEX `chat_accounts_own` ON `chat_accounts` (`account_id`,`account_user_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `chat_accounts_person` ON `chat_accounts` (`account_user_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `chat_accounts_chat_user` ON `chat_accounts` (`account_id`,`product`,`workspace_id`,`chat_user_id`);