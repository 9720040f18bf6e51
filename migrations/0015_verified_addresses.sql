DROP INDEX `user_emails_email`;--> statement-breakpoint
ALTER TABLE `user_emails` ADD `verified_at` integer;--> statement-breakpoint
-- Until now people signed in by these, and their first password or invitation went there; others nobody has proven.
UPDATE `user_emails` SET `verified_at` = `created_at` WHERE `primary` = 1;--> statement-breakpoint
CREATE UNIQUE INDEX `user_emails_verified` ON `user_emails` (`email`) WHERE verified_at is not null;
