CREATE TABLE `phone_code_sends` (
	`account_id` text NOT NULL,
	`phone` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `phone_code_sends_account` ON `phone_code_sends` (`account_id`,`sent_at`);--> statement-breakpoint
CREATE INDEX `phone_code_sends_phone` ON `phone_code_sends` (`phone`,`sent_at`);