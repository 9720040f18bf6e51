CREATE TABLE `invitation_sends` (
	`account_id` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `invitation_sends_account` ON `invitation_sends` (`account_id`,`sent_at`);