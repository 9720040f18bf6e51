CREATE TABLE `email_link_sends` (
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_link_sends_account` ON `email_link_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `email_link_sends_email` ON `email_link_sends` (`email`,`sent_at`);